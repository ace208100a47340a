import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A mail server (RFC 5321) that accepts every mail. The answers to single commands can be replaced. */
export async function startMailServer({ answers = {} }: { answers?: Record<string, string> } = {}) {
  const received: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    let text = '';
    socket.setEncoding('utf8').write('220 test\r\n');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isData && !text.includes('\r\n.\r\n')) return;
      if (isData) received.push(text);
      const verb = isData ? 'END' : text.slice(0, 4).toUpperCase();
      isData = verb === 'DATA';
      text = '';
      const answer = answers[verb] ?? (isData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
      socket.write(`${answer}\r\n`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { received, server, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
