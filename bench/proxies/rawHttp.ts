import { Agent, createServer, request } from 'node:http';
import { announce } from './announce.ts';

/** The anchor of all ratios: a reverse proxy of bare `node:http`, in and out, that looks at nothing. Argument: the upstream's origin. */
const upstream = new URL(process.argv[2]!);
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const { method, url, headers } = req;
  const options = { agent, host: upstream.hostname, port: upstream.port, method, path: url, headers };
  const forwarded = request(options, (answer) => {
    res.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(res);
  });
  forwarded.on('error', () => res.destroy());
  req.pipe(forwarded);
});
announce(server);
