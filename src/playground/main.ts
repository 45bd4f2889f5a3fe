import { parseArgs } from 'node:util';
import { StillClock } from './kit/clock.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { listenForMore } from './second.ts';
import { startPlayground } from './server.ts';

const usage =
  'npm run playground -- [--port P] [--kubeconfig FILE] [--token T] [--name CONTEXT] [--seed company|staging|none|bulk:N] [--pods N] [--controllers on|off] [--activity on|off] [--history N] [--churn PER_SECOND] [--chance SEED] [--still TIME] [--with-parent]';

/**
 * Starts the playground as a process of its own. It prints one line of JSON when it is ready and runs until it is
 * stopped.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      kubeconfig: { type: 'string' },
      token: { type: 'string' },
      name: { type: 'string' },
      seed: { type: 'string', default: 'company' },
      pods: { type: 'string' },
      controllers: { type: 'string', default: 'on' },
      activity: { type: 'string', default: 'on' },
      history: { type: 'string' },
      churn: { type: 'string', default: '0' },
      chance: { type: 'string' },
      still: { type: 'string' },
      'with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { chance, history, pods, still } = values;
  const clock = still === undefined ? undefined : new StillClock(instant('--still', still));
  const playground = await startPlayground({
    port: integerOption('--port', values.port),
    seed: pods === undefined ? values.seed : `bulk:${integerOption('--pods', pods)}`,
    controllers: values.controllers !== 'off',
    activity: values.activity !== 'off',
    churn: integerOption('--churn', values.churn),
    ...(values.token === undefined ? {} : { token: values.token }),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(clock === undefined ? {} : { clock }),
    ...(chance === undefined ? {} : { chance: integerOption('--chance', chance) }),
    ...(history === undefined ? {} : { history: integerOption('--history', history) }),
  });
  clock?.begin();
  if (values.kubeconfig !== undefined) writeKubeconfig(values.kubeconfig, playground.kubeconfig);
  const { port, server } = playground;
  process.stdout.write(`${JSON.stringify({ ready: true, port, server })}\n`);
}

function integerOption(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${option} must be a whole number, not "${text}".`);
  return Number(text);
}

function instant(option: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`${option} must be a time as 2026-03-04T15:06:07Z, not "${text}".`);
  return time;
}

process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));
if (process.argv.includes('--with-parent')) {
  // The pipe closes when the parent ends, for whatever reason.
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('close', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
  listenForMore(process.stdin);
}
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exit(1);
});
