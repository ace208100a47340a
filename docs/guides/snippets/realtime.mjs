// Node 22 or later: no package is needed.
const url = process.env.BASE_URL.replace('http', 'ws') + '/v1/realtime?model=gpt-realtime';
const socket = new WebSocket(url, ['realtime', 'textapi-insecure-api-key.' + process.env.API_KEY]);
const send = (event) => socket.send(JSON.stringify(event));
socket.addEventListener('open', () => {
  send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
  send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello!' }] },
  });
  send({ type: 'response.create' });
});
socket.addEventListener('message', ({ data }) => {
  const event = JSON.parse(data);
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
  if (event.type === 'response.done') socket.close();
});
