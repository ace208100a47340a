// A vendor of one's own for the proof of an image: OpenAI's protocol over TLS with a certificate of a private authority, for one key.
//   VENDOR_KEY_FILE=... node vendor.mjs <folder with cert.pem and key.pem> <port>
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [folder, port] = process.argv.slice(2);
const key = readFileSync(process.env.VENDOR_KEY_FILE, 'utf8').trim();
const tls = { cert: readFileSync(`${folder}/cert.pem`), key: readFileSync(`${folder}/key.pem`) };

createServer(tls, (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  request.resume();
  if (request.headers.authorization !== `Bearer ${key}`) return answer(401, { error: { message: 'Wrong key.' } });
  return answer(200, {
    id: 'chatcmpl-proof',
    object: 'chat.completion',
    created: 1,
    model: 'own',
    choices: [{ index: 0, message: { role: 'assistant', content: 'I am here.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
  });
}).listen(Number(port), '0.0.0.0');
