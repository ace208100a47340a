// A file of its own: the parts that only show a notification load neither this nor what it needs.
export { Notifications as default } from '@mantine/notifications';
