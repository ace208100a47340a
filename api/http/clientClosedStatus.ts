/** The status, in the books and in the log, of a request whose client left before its end. It is nginx's number; nobody is sent it. */
export const CLIENT_CLOSED_STATUS = 499;
