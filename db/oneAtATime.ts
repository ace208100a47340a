/** Runs one piece of work at a time for each key: concurrent callers share its result. */
export function oneAtATime<Key, Answer>(work: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const going = new Map<Key, Promise<Answer>>();
  return (key) => {
    let answer = going.get(key);
    if (!answer) going.set(key, (answer = work(key).finally(() => going.delete(key))));
    return answer;
  };
}
