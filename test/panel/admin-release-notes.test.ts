// Release notes in the panel: drafted, previewed, published for everyone, and deleted.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { adminEmail, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, roles: ['api'] });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the release notes of the platform', () => {
  it('drafts a note, publishes it, and deletes it', async () => {
    const publishedAt = '2026-01-01T10:00:00.000Z';
    await world
      .call('post', '/api/admin/release-notes', world.admin)
      .send({ title: 'Calendar', text: 'See what is **planned**.', published_at: publishedAt })
      .expect(201);
    const visitor = await Visitor.open(browser, world, {
      email: adminEmail,
      path: '/platform/release-notes/new',
    });
    await visitor.see('Write a note');
    await visitor.fill('Title', 'Schedules');
    await visitor.fill('Text', 'Servers restart **on a schedule**.\n\n- daily\n- weekly\n\n<b>not HTML</b>');
    await visitor.page.locator('strong', { hasText: 'on a schedule' }).waitFor();
    expect(await visitor.page.locator('b', { hasText: 'not HTML' }).count()).toBe(0);
    expect(await visitor.barriers('notes-new')).toEqual([]);
    await visitor.press('Save the draft');
    await visitor.see('Schedules');
    await visitor.says('Draft');
    const published = () => world.call('get', '/api/release-notes', world.admin).expect(200);
    expect((await published()).body.data).toMatchObject([{ title: 'Calendar' }]);

    await visitor.page.getByLabel('Publish', { exact: true }).selectOption('now');
    await visitor.press('Publish now');
    await visitor.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    expect((await published()).body.data).toMatchObject([{ title: 'Schedules' }, { title: 'Calendar' }]);
    await visitor.fill('Title', 'Schedules for all');
    await visitor.says('This note is public');
    expect(await visitor.barriers('notes-one')).toEqual([]);
    await visitor.press('Discard changes');

    await visitor.press('Delete');
    expect(await visitor.barriers('notes-delete')).toEqual([]);
    await visitor.fill('Type Schedules to confirm', 'Schedules', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.see('Release notes');
    expect((await published()).body.data).toMatchObject([{ title: 'Calendar' }]);
    expect(await visitor.barriers('notes')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('shows what another super admin has saved, and a taken time at its field', async () => {
    const create = async (title: string, published_at: string | null) => {
      const { body } = await world
        .call('post', '/api/admin/release-notes', world.admin)
        .send({ title, text: 'Text', published_at })
        .expect(201);
      return body.id as string;
    };
    await create('Maps', '2026-03-01T10:00:00.000Z');
    const id = await create('Wipes', null);
    const visitor = await Visitor.open(browser, world, {
      email: adminEmail,
      path: `/platform/release-notes/${id}`,
      locale: 'de',
    });
    await visitor.see('Wipes');
    const field = await visitor.page.evaluate<string>(
      `(() => { const at = new Date('2026-03-01T10:00:00Z'); at.setMinutes(at.getMinutes() - at.getTimezoneOffset());
        return at.toISOString().slice(0, 16); })()`,
    );
    await visitor.page.getByLabel('Veröffentlichen', { exact: true }).selectOption('at');
    await visitor.fill('Zeit der Veröffentlichung', field);
    await visitor.press('Speichern');
    await visitor.says('exactly this publication time');
    await world
      .call('patch', `/api/admin/release-notes/${id}`, world.admin)
      .send({ text: 'Another text' })
      .expect(200);
    await visitor.press('Speichern');
    await visitor.page.getByRole('cell', { name: 'Another text' }).waitFor();
    expect(await visitor.barriers('notes-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});
