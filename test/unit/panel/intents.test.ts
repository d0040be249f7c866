// One intent of a user of the panel is carried out once.
import { intentText, Intents } from '../../../panel/src/api/intents.ts';

let intents: Intents;
let keys: string[];

beforeEach(() => {
  intents = new Intents();
  keys = [];
});

const send = (text: string, reply: () => Promise<string>) =>
  intents.run(text, (key) => {
    keys.push(key);
    return reply();
  });

it('joins a second click, while the first runs and just after it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const clicks = [send('start', () => promise), send('start', () => promise)];
  resolve('started');
  expect(await Promise.all(clicks)).toEqual([
    { reply: 'started', isFirst: true },
    { reply: 'started', isFirst: false },
  ]);
  expect(await send('start', () => Promise.resolve('again'))).toEqual({ reply: 'started', isFirst: false });
  expect(keys).toHaveLength(1);
});

it('repeats what failed under its key, and begins another intent with a new one', async () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(send('start', lost)).rejects.toThrow('Failed to fetch');
  await expect(send('other', lost)).rejects.toThrow('Failed to fetch');
  await send('start', () => Promise.resolve('started'));
  expect(keys[2]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(2);
});

it('repeats an intent at once after another one, as a switch does', async () => {
  const done = () => Promise.resolve('done');
  for (const text of ['on', 'off', 'on', 'off']) await send(text, done);
  expect(new Set(keys).size).toBe(4);
});

it('lets different intents run beside each other', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = send('one', () => promise);
  const second = send('two', () => promise);
  const repeated = send('one', () => promise);
  resolve('done');
  await Promise.all([first, second, repeated]);
  expect(keys).toHaveLength(2);
});

it('distinguishes requests with different files, and recognizes a repetition', () => {
  const [file, other] = [new Blob(['one']), new Blob(['two'])];
  const text = (body: Blob, path = 'a') => intentText({ params: { path }, body });
  expect(text(file)).toBe(text(file));
  expect(text(other)).not.toBe(text(file));
  expect(text(file, 'b')).not.toBe(text(file));
  expect(intentText(undefined)).toBe('null');
});
