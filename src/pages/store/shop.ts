// The page that shows a store's items, and lets buyers fill a basket and order it.
import { createPage, escaped, type Page } from '../page.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { basketScript } from './basket.ts';
import { commonScript, styleOf } from './common.ts';
import { paletteOf } from './palette.ts';

export function shopPage({ name, theme }: Schemas['PublicStore']): Page {
  return createPage({
    title: escaped(name),
    style: styleOf(paletteOf(theme)),
    body: bodyOf(escaped(name)),
    script: `${commonScript}\n${basketScript}\n${itemsScript}`,
    imagesFrom: 'https:',
  });
}

const bodyOf = (name: string) => `<header>
<h1>${name}</h1>
<p id="test" class="test"></p>
<p><a href="#basket" id="to-basket">Basket</a></p>
</header>
<main>
<p id="note" role="status">Loading the items…</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<div class="shop">
<div id="categories"></div>
<section id="basket" class="card" aria-labelledby="basket-name" tabindex="-1">
<h2 id="basket-name">Basket</h2>
<p id="empty">The basket is empty.</p>
<ul id="lines" class="lines"></ul>
<form id="order" hidden novalidate>
<p class="total"><span>Total</span> <span id="total"></span></p>
<label class="field">SteamID64 of the player
<input id="steam-id" inputmode="numeric" autocomplete="off" maxlength="17" aria-describedby="steam-help" required></label>
<p id="steam-help" class="dim">17 digits, beginning with 7656. Steam shows it under Account details.</p>
<label class="field">Name in the game, if you like
<input id="player-name" autocomplete="off" maxlength="100"></label>
<label class="field">E-mail for a receipt, if you like
<input id="email" type="email" inputmode="email" autocomplete="email" maxlength="254" aria-describedby="email-help"></label>
<p id="email-help" class="dim">Used to send you the receipt and to notify you of a refund. The team of this store can see it. It is deleted after 180 days, or after 7 if the order is not paid.</p>
<div id="agreement" hidden>
<details><summary>Terms of this store</summary><p id="terms" class="terms" tabindex="0"></p></details>
<label class="agree"><input id="agree" type="checkbox"> I agree to the terms of this store.</label>
</div>
<button id="buy">Order and pay</button>
</form>
<p id="fault" role="alert"></p>
</section>
</div>
</main>
<p id="added" role="status"></p>
<footer><p class="dim">The price of an order is fixed when it is placed.</p></footer>`;

/** Shows the items. */
const itemsScript = String.raw`
const maxQuantity = 100;
const playerLimitOf = (item) => Math.min(item.limit_per_player ?? maxQuantity, maxQuantity);
const limitOf = (item) => Math.min(item.available_count ?? maxQuantity, playerLimitOf(item));

function picture(url) {
  const made = element('img', { src: url, alt: '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' });
  made.addEventListener('error', () => made.remove());
  return made;
}

function card(item) {
  const name = element('h3', { text: item.name, id: 'item-' + item.id });
  const parts = item.image_url === null ? [name] : [picture(item.image_url), name];
  if (item.description !== null) parts.push(element('p', { text: item.description }));
  for (const text of rulesOf(item)) parts.push(element('p', { class: 'dim', text }));
  parts.push(element('div', { class: 'buy' }, [
    element('span', { class: 'price', text: money(item.price) }), item.is_sold_out ? soldOut(item) : adding(item, name.id),
  ]));
  return element('li', {}, parts);
}

const soldOut = ({ held_count: held }) =>
  element('span', { class: 'dim', text: held > 0 ? 'None available: ' + held + ' held by unpaid orders' : 'Sold out' });

function adding(item, nameId) {
  const add = element('button', { type: 'button', text: 'Add to the basket', 'aria-describedby': nameId });
  add.addEventListener('click', () => putIn(item));
  return add;
}

function rulesOf(item) {
  const rules = [];
  if (item.limit_per_player !== null) rules.push('At most ' + item.limit_per_player + ' for each player.');
  if (item.available_count > 0)
    rules.push(item.available_count + ' available' + (item.held_count > 0 ? ', ' + item.held_count + ' held by unpaid orders.' : '.'));
  const needed = item.required_item_ids.map((id) => items.get(id)?.name ?? 'something that is not sold any more');
  if (needed.length > 0) rules.push('Needs: ' + needed.join(', ') + '.');
  if (item.needs_online_player) rules.push('Delivered while the player is on the server.');
  return rules;
}

function section(title, about, ofIt) {
  const parts = [element('h2', { text: title })];
  if (about) parts.push(element('p', { class: 'dim', text: about }));
  parts.push(element('ul', { class: 'items' }, ofIt.map(card)));
  return element('section', { class: 'category' }, parts);
}

function showItems() {
  const all = [...items.values()];
  const known = new Set(store.categories.map(({ id }) => id));
  const sections = store.categories.map(({ id, name, description }) =>
    [name, description, all.filter((item) => item.category_id === id)]);
  sections.push([known.size === 0 ? 'Items' : 'More', null, all.filter((item) => !known.has(item.category_id))]);
  byId('categories').replaceChildren(
    ...sections.filter(([, , ofIt]) => ofIt.length > 0).map((parts) => section(...parts)));
  byId('note').textContent = all.length === 0 ? 'The store has no items for sale.' : '';
}

async function read() {
  const [about, list] = await Promise.all([ask(''), ask('/items')]);
  const fault = about.fault ?? list.fault;
  if (fault !== undefined) {
    byId('note').textContent = about.code === 'not_found' ? 'This store is closed.' : fault;
    return;
  }
  store = about.result;
  items = new Map(list.result.data.map((item) => [item.id, item]));
  byId('test').textContent = store.is_test ? 'This is a test store: no money is charged.' : '';
  byId('terms').textContent = store.terms ?? '';
  byId('agreement').hidden = store.terms === null;
  showItems();
  showBasket();
}
void read();`;
