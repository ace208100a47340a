/** Work of which one at a time goes on for each key: whoever asks for it meanwhile shares it. */
export function oneAtATime<Key, Answer>(work: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const going = new Map<Key, Promise<Answer>>();
  return (key) => {
    let answer = going.get(key);
    if (!answer) going.set(key, (answer = work(key).finally(() => going.delete(key))));
    return answer;
  };
}
