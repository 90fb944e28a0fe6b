import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { writeFileAtomically } from '../../server/cache/disk/write-file-atomically.ts';
import { messageId, OutboxFiles } from '../../server/outbox/outbox-files.ts';
import { eventually } from '../support/eventually.ts';
import { sendJson } from '../support/fake-backend.ts';
import { outboxTest as it, message, SEND } from '../support/outbox-test.ts';
import { postJson, sendRequest } from '../support/send-request.ts';
import { DIST_DIR } from '../support/start-site.ts';
import { testDisk } from '../support/test-disk.ts';

const TOKEN = 'a-token-of-the-operators';
const SENTENCE = 'Ada Example (ADA@EXAMPLE.COM) has left the list';

async function run(dataDir: string, ...args: string[]): Promise<string> {
  const command = [path.join(DIST_DIR, 'server/data.js'), ...args];
  return (await promisify(execFile)(process.execPath, command, { env: { DATA_DIR: dataDir } })).stdout;
}

describe('a dead letter', () => {
  it('a dead letter keeps the CMS’s error message after a restart, and an erasure searches it', async ({
    backend,
    dataDir,
    start,
    names,
  }) => {
    backend.on(SEND, (_req, res) => sendJson(res, 422, { data: null, error: { message: SENTENCE } }));
    const first = await start();
    expect((await postJson(first.url, SEND, message('other@example.com'))).status).toBe(202);
    await eventually(() => expect(first.site.outbox.state).toMatchObject({ waiting: 0, dead: 1 }));
    await first.close();
    const [[name = ''], drafts] = [await names('dead'), await names('drafts')];
    const id = name.replace('.json', '');
    expect(drafts).toEqual([]);

    const shown = JSON.parse(await run(dataDir, 'show', id.slice(0, 8)));
    expect(shown).toMatchObject({ state: 'dead', failure: `answered 422 (${SENTENCE})` });
    expect(shown.message).toMatchObject({ email: 'other@example.com' });
    const list = await run(dataDir, 'list');
    expect(list).toMatch(new RegExp(`^${id}  dead .*  failure: answered 422$`, 'm'));
    expect(list).not.toContain('@');

    const second = await start({ env: { OPS_TOKEN: TOKEN } });
    const look = (headers = {}) => sendRequest(second.opsUrl, '/', { headers });
    expect((await look({ authorization: `Bearer ${TOKEN}` })).text).toContain(`answered 422 (${SENTENCE})`);
    expect((await look()).text).not.toContain(SENTENCE);
    expect(await run(dataDir, 'erase', '--email', 'ada@example.com')).toContain('erased from dead');
    expect(await names('dead')).toEqual([]);
  });

  it('a retried message that is delivered loses the error message of its last failure', async ({
    backend,
    dataDir,
    start,
    received,
    names,
  }) => {
    backend.on(SEND, (_req, res) => sendJson(res, 422, { data: null, error: { message: SENTENCE } }));
    const site = await start();
    const sent = message();
    expect((await postJson(site.url, SEND, sent)).status).toBe(202);
    await eventually(async () => expect(await names('dead')).toHaveLength(1));
    backend.on(SEND, {});
    await run(dataDir, 'retry');
    await eventually(() => expect(received()).toHaveLength(2));
    expect(received().map(({ body }) => JSON.parse(body))).toEqual([sent, sent]);
    await eventually(() => expect(site.site.outbox.state).toMatchObject({ waiting: 0, dead: 0 }));
  });

  it('a message becomes a dead letter without a reason if the disk is full', async ({ dataDir }) => {
    const disk = testDisk();
    const files = new OutboxFiles(dataDir, disk.writeFileAtomically);
    await files.prepare();
    const key = randomUUID();
    await files.put({ key, receivedAt: new Date().toISOString(), message: message() });
    disk.fill();
    expect(await files.bury(messageId(key), 'answered 422', Date.now())).toBe(true);
    const dead = await files.read('dead', messageId(key));
    expect([dead?.key, dead?.failure]).toEqual([key, undefined]);
  });

  it('a message that is erased while it becomes a dead letter does not return', async ({ dataDir }) => {
    const erased = Promise.withResolvers<void>();
    class SlowFiles extends OutboxFiles {
      override async move(...args: Parameters<OutboxFiles['move']>) {
        const isMoved = await super.move(...args);
        await erased.promise;
        return isMoved;
      }
    }
    const files = new SlowFiles(dataDir, (file, contents) => writeFileAtomically(file, contents));
    await files.prepare();
    const key = randomUUID();
    const id = messageId(key);
    const namesIn = (folder: string) => readdir(path.join(files.dir, folder));
    await files.put({ key, receivedAt: new Date().toISOString(), message: message() });
    // Many drafts delay the erasure between listing them and looking for the message.
    for (let at = 0; at < 3_000; at += 1)
      await writeFile(path.join(files.dir, 'drafts', `${id}.json.${at}.part`), '');
    const erasing = files.erase(id);
    await eventually(async () => expect((await namesIn('drafts')).length).toBeLessThan(3_000));
    const burying = files.bury(id, 'answered 422', Date.now());
    await erasing;
    erased.resolve();
    await burying;
    expect(await Promise.all(['drafts', 'waiting', 'dead'].map(namesIn))).toEqual([[], [], []]);
  });
});
