import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Creator } from '#client';
import { ok } from './agency-client.js';
import { AGENCY, Stage } from './stage.js';

interface Restored {
  readonly replaced: string | null;
  readonly erased_since: string[];
  readonly revoked_keys: string[];
  readonly lost_events: number | null;
  readonly unread: string[];
}

/** A data directory in which a creator was erased and a key revoked after the backup, for restores into copies of it. */
export class Restores {
  private folders = 0;

  private constructor(
    readonly stage: Stage,
    readonly folder: string,
    readonly stopped: string,
    readonly backup: string,
    readonly erased: string,
    readonly revoked: string,
  ) {}

  static async open(): Promise<Restores> {
    const folder = await mkdtemp(join(tmpdir(), 'restores-'));
    // Other users run some of the commands.
    chmodSync(folder, 0o755);
    const stage = await Stage.open();
    await stage.agency({ total_slots: 10 });
    const { secret, workspaceId } = await stage.openAccount();
    const [one = '', other = ''] = await stage.members(2);
    const standalone = stage.start('standalone');
    const client = stage.client(await standalone.ready(), secret);
    const enroll = (userId: string) =>
      client.enroll({
        workspace_id: workspaceId,
        external_id: `ext-${userId}`,
        display_name: 'Canaria Quellstein',
        aliases: ['canaria'],
        svc_user_id: userId,
      });
    const erased: Creator = ok(await enroll(one), 201);
    ok(await enroll(other), 201);
    const issue = ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_only'];
    const revoked = (await stage.runTool<{ id: string }>(...issue)).id;
    const backup = join(folder, 'backup');
    await stage.runTool('backup', '--to', backup);
    await stage.runTool('keys', 'revoke', revoked);
    await stage.runTool('privacy', 'erase', '--creator', erased.id, '--yes');
    await standalone.stop();
    const stopped = join(folder, 'stopped');
    cpSync(stage.dataDir, stopped, { recursive: true });
    return new Restores(stage, folder, stopped, backup, erased.id, revoked);
  }

  get masterKey(): string {
    return readFileSync(join(this.stopped, 'master.key'), 'utf8').trim();
  }

  newFolder(): string {
    return join(this.folder, `folder-${++this.folders}`);
  }

  copied(): string {
    const to = this.newFolder();
    cpSync(this.stopped, to, { recursive: true });
    return to;
  }

  words(from = this.backup): string[] {
    return ['backup', 'restore', '--from', from, '--json'];
  }

  toolIn(dataDir: string, ...words: string[]) {
    return this.stage.tool([...words, '--json'], { DATA_DIR: dataDir });
  }

  async restoredIn(dataDir: string, ...more: string[]): Promise<Restored> {
    const { status, stdout, stderr } = await this.stage.tool([...this.words(), ...more], { DATA_DIR: dataDir });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Restored;
  }

  async close(): Promise<void> {
    await this.stage.close();
    await rm(this.folder, { recursive: true });
  }
}
