// The browser script of a store's basket: keeps it in the browser, and orders it once despite repeated attempts.
import { firstSteamId, lastSteamId } from '../../values/formats.ts';

/**
 * An attempt to order is stored with its key before it is sent. A double click, a lost response or a reload then sends
 * the same order under the same key, and gets the existing order.
 */
export const basketScript = String.raw`
const firstSteamId = ${firstSteamId}n;
const lastSteamId = ${lastSteamId}n;
let store;
let items = new Map();
let isOrdering = false;
const prefix = 'gantry store ' + subdomain + ' ';
const unkept = new Map();

/** Without local storage, the basket is lost when the page closes. */
function load(name) {
  if (unkept.has(name)) return unkept.get(name);
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null');
  } catch {
    return null;
  }
}
function keep(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
  }
}

/** Returns the entries of the basket that are still for sale. */
function basket() {
  const kept = load('basket');
  return (Array.isArray(kept) ? kept : []).flatMap(({ id, quantity }) => {
    const item = items.get(id);
    return item === undefined || item.is_sold_out ? [] : [{ item, quantity: fitting(item, quantity) }];
  });
}
const fitting = (item, quantity) => Math.min(Math.max(Math.trunc(Number(quantity)) || 1, 1), limitOf(item));

function keepBasket(lines) {
  keep('basket', lines.map(({ item, quantity }) => ({ id: item.id, quantity })));
  showBasket();
}

function putIn(item) {
  const lines = basket();
  const line = lines.find((other) => other.item === item);
  if (line === undefined && lines.length >= 20) say('An order has at most 20 different items.');
  else if (line !== undefined && line.quantity >= limitOf(item))
    say(limitOf(item) < playerLimitOf(item) ? 'Only ' + limitOf(item) + ' of ' + item.name + ' are available.'
      : 'A player can have at most ' + limitOf(item) + ' of ' + item.name + '.');
  else {
    keepBasket(line === undefined ? [...lines, { item, quantity: 1 }]
      : lines.map((other) => other === line ? { item, quantity: line.quantity + 1 } : other));
    say('');
    announce(item.name + ' is in the basket.');
  }
}

let clearing;
function announce(text) {
  clearTimeout(clearing);
  byId('added').textContent = text;
  clearing = setTimeout(() => byId('added').replaceChildren(), 5_000);
}

function say(text) {
  byId('fault').textContent = text;
  if (text !== '') byId('fault').scrollIntoView({ block: 'nearest' });
}

function lineOf({ item, quantity }) {
  const count = element('input', {
    type: 'number', min: 1, max: limitOf(item), value: quantity, 'aria-label': 'How many of ' + item.name,
  });
  count.addEventListener('change', () => {
    keepBasket(basket().map((line) =>
      line.item === item ? { item, quantity: fitting(item, count.value) } : line));
    inputOf(item)?.focus();
  });
  count.dataset.item = item.id;
  const remove = element('button', { type: 'button', class: 'quiet', text: 'Remove', 'aria-label': 'Remove ' + item.name });
  remove.addEventListener('click', () => {
    keepBasket(basket().filter((line) => line.item !== item));
    byId('basket').focus();
  });
  return element('li', {}, [
    element('span', { text: item.name }), element('span', { class: 'sum', text: money(item.price, timesOf(item.price, quantity)) }),
    count, remove,
  ]);
}
const inputOf = (item) => [...byId('lines').querySelectorAll('input')].find((input) => input.dataset.item === item.id);

function showBasket() {
  const lines = basket();
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  byId('lines').replaceChildren(...lines.map(lineOf));
  byId('order').hidden = lines.length === 0;
  byId('empty').hidden = lines.length > 0;
  byId('to-basket').textContent = lines.length === 0 ? 'Basket' : 'Basket: ' + count + ', ' + total(lines);
  byId('total').textContent = lines.length === 0 ? '' : total(lines);
}

const total = (lines) =>
  money(lines[0].item.price, lines.reduce((sum, { item, quantity }) => sum + timesOf(item.price, quantity), 0n));

function faultIn(steamId, email) {
  const isOfPlayer = /^\d{17}$/.test(steamId) && BigInt(steamId) >= firstSteamId && BigInt(steamId) <= lastSteamId;
  if (!isOfPlayer) return ['steam-id', 'This is not the SteamID64 of a player. A SteamID64 has 17 digits and starts with 7656.'];
  if (email !== '' && !byId('email').validity.valid)
    return ['email', 'This is not an e-mail address. Correct it, or leave the field empty.'];
  if (store.terms !== null && !byId('agree').checked) return ['agree', 'Agree to the terms of the store first.'];
  return undefined;
}

/** Returns the idempotency key: the last attempt's if it ordered the same, otherwise a new one. */
function keyOf(body) {
  const last = load('attempt');
  if (last?.body === body) return last.key;
  const key = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-');
  keep('attempt', { key, body });
  return key;
}

/** Stored only until the attempt has a response, because other people may use this browser. */
function emailOfAttempt() {
  try {
    return JSON.parse(load('attempt')?.body ?? '{}').email ?? '';
  } catch {
    return '';
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function order() {
  const steamId = byId('steam-id').value.trim();
  const name = byId('player-name').value.trim();
  const email = byId('email').value.trim();
  const fault = faultIn(steamId, email);
  for (const id of ['steam-id', 'email']) byId(id).setAttribute('aria-invalid', String(fault?.[0] === id));
  if (fault !== undefined) {
    say(fault[1]);
    byId(fault[0]).focus();
    return;
  }
  keep('player', { steamId, name });
  const lines = basket().map(({ item, quantity }) => ({ item_id: item.id, quantity }));
  const body = JSON.stringify({
    steam_id: steamId, ...(name !== '' && { player_name: name }), ...(email !== '' && { email }), items: lines,
  });
  const post = () => ask('/purchase', { method: 'POST', body, headers: { 'idempotency-key': keyOf(body) } });
  let reply = await post();
  for (let again = 0; reply.code === 'idempotency_in_flight' && again < 10; again += 1) {
    await pause(1_000);
    reply = await post();
  }
  if (reply.result !== undefined) {
    keep('attempt', null);
    keep('basket', null);
    location.assign('/store/' + subdomain + '?order=' + encodeURIComponent(reply.result.id) + '#pay');
    return;
  }
  if (reply.isUncertain || reply.code === 'idempotency_in_flight') {
    say(reply.fault + ' Try again: the order is not placed twice.');
    return;
  }
  keep('attempt', null);
  say(reply.fault);
  if (['not_for_sale', 'not_found', 'purchase_limit'].includes(reply.code)) await read();
}

byId('order').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isOrdering) return;
  isOrdering = true;
  byId('buy').setAttribute('aria-disabled', 'true');
  byId('buy').textContent = 'Ordering…';
  say('');
  await order();
  isOrdering = false;
  byId('buy').removeAttribute('aria-disabled');
  byId('buy').textContent = 'Order and pay';
});
byId('agree').addEventListener('change', () => say(''));
const player = load('player');
byId('steam-id').value = player?.steamId ?? '';
byId('player-name').value = player?.name ?? '';
byId('email').value = emailOfAttempt();
addEventListener('storage', showBasket);
addEventListener('pageshow', ({ persisted }) => { if (persisted) showBasket(); });`;
