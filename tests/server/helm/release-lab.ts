import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { type Lab, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';

const patience = { timeout: 15_000, interval: 50 };
export const secrets = '/api/v1/namespaces/shop/secrets';
export const maps = '/api/v1/namespaces/shop/configmaps';
/** A text that no list, log or error may have. */
export const canary = 'CANARY-4711';

/** The playground, and people of each role on it, while a test runs. */
export let lab: Lab;
export let viewer: TestPerson;
export let secretViewer: TestPerson;
export let admin: TestPerson;
/** Name of the release of the running test. */
export let name = '';

/** Starts the playground for the tests of a file. @param prefix of the releases' names, one a test */
export function useReleaseLab(prefix: string): void {
  let count = 0;
  beforeAll(async () => {
    lab = await startLab();
    viewer = await lab.member(teamRoles.Viewer);
    secretViewer = await lab.member(teamRoles.SecretViewer);
    admin = await lab.member(teamRoles.TeamAdmin);
  });
  afterAll(() => lab.close());
  beforeEach(() => {
    count += 1;
    name = `${prefix}-${count}`;
  });
}

export const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
export const packed = (body: object | string) =>
  base64(gzipSync(typeof body === 'string' ? body : JSON.stringify(body)).toString('base64'));

/** A document of a manifest. */
export const configMap = (part: string, data: string, more = '') => `---
# Source: shop/templates/${part}.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-${part}
${more}data:
${data}`;
/** A Secret of a manifest. */
export const secretDocument = (value: string) => `---
apiVersion: v1
kind: Secret
metadata:
  name: ${name}-login
stringData:
  password: ${value}
`;

/** A revision to be planted. */
export interface Revision {
  readonly manifest: string;
  readonly status?: string;
  readonly config?: object;
  readonly hooks?: object[];
  /** Where it is installed. */
  readonly namespace?: string;
}

/** Plants a revision as Helm 3 keeps it. */
export async function plant(
  revision: number,
  { manifest, status = 'deployed', config = {}, hooks = [], namespace = 'shop' }: Revision,
) {
  const at = `2026-01-0${revision}T00:00:00Z`;
  const body = {
    name,
    namespace,
    version: revision,
    info: {
      first_deployed: '2026-01-01T00:00:00Z',
      last_deployed: at,
      deleted: '',
      description: `made ${revision}`,
      status,
      notes: `Sign in with ${canary}`,
    },
    chart: {
      metadata: { name: 'shop', version: `1.0.${revision}`, appVersion: `3.${revision}` },
      values: { replicas: 1, auth: { enabled: true, password: '' }, existingSecret: 'none' },
    },
    config,
    manifest,
    hooks,
    somethingNew: { kept: true },
  };
  await lab.put(secrets, {
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      labels: { name, owner: 'helm', status, version: String(revision), modifiedAt: '1767225600' },
    },
    type: 'helm.sh/release.v1',
    data: { release: packed(body) },
  });
}
/** Status of a kept revision by its label; undefined for one that is not kept. */
export const kept = async (revision: number) =>
  (await lab.seen(`${secrets}/sh.helm.release.v1.${name}.v${revision}`))?.metadata?.labels?.['status'];

/** Metadata of an object as Helm marks those of the release. */
export const own = (part: string) => ({
  name: `${name}-${part}`,
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'shop' },
});

export const place = () => ({ clusterId: lab.clusterId, namespace: 'shop', name });
export const contents = (person: TestPerson, revision: number) =>
  person.client.call('releaseContents', { params: { ...place(), revision } });
export const reveal = (person: TestPerson, revision: number) =>
  person.client.call('revealRelease', { params: { ...place(), revision } });

/** Runs an action on the release of the running test; gives its outcome. */
export async function act(
  person: TestPerson,
  actionId: string,
  args: Record<string, unknown> = {},
  more: { dryRun?: boolean; confirm?: string } = {},
) {
  const { outcomes } = await person.client.call('runAction', {
    params: { clusterId: lab.clusterId, actionId },
    body: { refs: [{ kind: 'release', namespace: 'shop', name }], args, ...more },
  });
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('There was no outcome.');
  return outcome;
}
/** A job once it has ended. */
export const ended = async (id: number | undefined): Promise<Job> =>
  await vi.waitFor(async () => {
    const { jobs } = await admin.client.call('jobs', { params: { clusterId: lab.clusterId } });
    const job = jobs.find((one) => one.id === id);
    if (job === undefined || job.status === 'running') throw new Error(JSON.stringify(job));
    return job;
  }, patience);
