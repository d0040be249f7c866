// The page that shows a buyer the state of an order until it is complete; in the sandbox, it also takes the payment.
import { createPage, escaped, type Page } from '../page.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { commonScript, plainTheme, styleOf } from './common.ts';
import { paletteOf } from './palette.ts';

/** `store` is undefined for a closed store, whose orders remain visible. */
export function orderPage(store: Schemas['PublicStore'] | undefined): Page {
  const name = escaped(store?.name ?? 'Store');
  return createPage({
    title: `Order · ${name}`,
    style: styleOf(paletteOf(store?.theme ?? plainTheme)),
    body: bodyOf(name, store !== undefined),
    script: `${commonScript}\n${script}`,
  });
}

const bodyOf = (name: string, isOpen: boolean) => `<header class="narrow">
<p>${name}</p>
<h1>Your order</h1>
<p id="test" class="test"></p>
</header>
<main class="narrow">
<p id="state" role="status">Loading the order…</p>
<p id="fault" role="alert"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
<p id="pay" hidden><a class="button" rel="noreferrer">Pay</a></p>
<section id="sandbox" class="card" hidden aria-labelledby="sandbox-name">
<h2 id="sandbox-name">Test payment</h2>
<p>This is not a real payment. Choose its outcome.</p>
<div class="row"><button type="button" data-outcome="paid">Pay without money</button>
<button type="button" class="quiet" data-outcome="failed">Decline</button></div>
</section>
<section id="bought" class="card" hidden aria-labelledby="bought-name">
<h2 id="bought-name">Items</h2>
<ul id="lines" class="lines"></ul>
<p class="total"><span>Total</span> <span id="total"></span></p>
</section>
${isOpen ? '<p><a id="back" href="#">Back to the store</a></p>' : ''}
</main>
<footer class="narrow"><p class="dim">Keep the address of this page: anyone who has it can see the state of the order. Order <span id="id"></span></p></footer>`;

const script = String.raw`
const orderId = new URLSearchParams(location.search).get('order');
let wantsToPay = location.hash === '#pay';
if (byId('back')) byId('back').href = '/store/' + subdomain;
byId('id').textContent = orderId;

const sumOf = ({ lines }, name) => lines.reduce((sum, line) => sum + line[name], 0);
const sums = (order) => ['delivered_count', 'delivery_count', 'undelivered_count'].map((name) => sumOf(order, name));
function deliveryOf(order) {
  const [arrived, all, lost] = sums(order);
  return 'Delivered: ' + arrived + ' of ' + all + '.'
    + (lost > 0 ? ' ' + lost + ' could not be delivered: ask the owner of the store.' : '')
    + (arrived + lost < all
      ? ' What has not arrived waits until the server runs and, for some things, until the player is on it.' : '');
}
const words = {
  pending: ({ provider, checkout_url: url, expires_at: end }) => provider === 'sandbox' || url !== null
    ? 'This order can be paid until ' + new Date(end).toLocaleTimeString('en', { timeStyle: 'short' }) + '.'
      + (provider === 'sandbox' ? '' : ' Have you paid? Then this page will say so in a moment.')
    : 'Checking with the payment provider…',
  paid: (order) => isDelivered(order) ? 'Paid and delivered.' : 'Paid. ' + deliveryOf(order),
  partially_refunded: (order) => 'Part of the payment was refunded. ' + deliveryOf(order),
  failed: () => 'The payment has failed. You were not charged, and nothing is delivered.',
  expired: () => 'The order is cancelled: it was not paid in time.',
  refunded: () => 'The order is cancelled, and the payment was refunded.',
  disputed: () => 'The payment is disputed; nothing more is delivered.',
};
function isDelivered(order) {
  const [arrived, all] = sums(order);
  return all > 0 && arrived === all;
}
function isOver(order) {
  const [arrived, all, lost] = sums(order);
  return ['failed', 'expired', 'refunded', 'disputed'].includes(order.status) || (all > 0 && arrived + lost === all);
}

function lineOf({
  item_name: name, quantity, unit_price: price,
  delivered_count: arrived, undelivered_count: lost, delivery_count: all,
}) {
  const parts = [
    element('span', { text: quantity + ' × ' + name }),
    element('span', { class: 'sum', text: money(price, timesOf(price, quantity)) }),
  ];
  if (all > 0) parts.push(element('span', {
    class: 'dim',
    text: 'Delivered: ' + arrived + ' of ' + all + (lost > 0 ? ', not delivered: ' + lost : ''),
  }));
  return element('li', {}, parts);
}

/** Whether the URL is safe to navigate to. */
const isWebAddress = (url) => URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol);

function change(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function show(order) {
  const { status, provider, is_test: isTest, checkout_url: url, lines, total } = order;
  change(byId('test'), isTest ? 'This is a test order: no money is charged.' : '');
  change(byId('state'), words[status](order));
  byId('sandbox').hidden = status !== 'pending' || provider !== 'sandbox';
  const payable = status === 'pending' && provider !== 'sandbox' && url !== null && isWebAddress(url);
  byId('pay').hidden = !payable;
  if (payable) byId('pay').firstElementChild.href = url;
  byId('lines').replaceChildren(...lines.map(lineOf));
  byId('total').textContent = money(total);
  byId('bought').hidden = false;
  if (payable && wantsToPay) location.assign(url);
  if (payable || provider === 'sandbox' || status !== 'pending') forgetToPay();
}

/** A buyer who returns from the provider is not redirected there again. */
function forgetToPay() {
  if (!wantsToPay) return;
  wantsToPay = false;
  history.replaceState(null, '', location.pathname + location.search);
}

function take({ result, fault }) {
  change(byId('fault'), fault ?? '');
  if (result !== undefined) show(result);
  return result !== undefined && isOver(result);
}

const path = '/orders/' + encodeURIComponent(orderId);
for (const button of byId('sandbox').querySelectorAll('button'))
  button.addEventListener('click', async () => {
    byId('state').textContent = 'Asking…';
    take(await ask(path + '/sandbox', { method: 'POST', body: JSON.stringify({ outcome: button.dataset.outcome }) }));
  });

const minute = 60_000;
const started = Date.now();
async function repeat() {
  const isEnd = document.hidden ? false : take(await ask(path));
  if (!isEnd) setTimeout(repeat, Date.now() - started < 2 * minute ? 2_000 : 10_000);
}
void repeat();`;
