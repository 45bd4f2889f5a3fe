import type { Acknowledgement } from '../../../contract/acknowledgements.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { AcknowledgeTime, Services } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';
import { qualifiedName } from '../actions/acting.ts';
import { acknowledgementOf, untilText } from './acknowledged.ts';
import { lineOf } from './known-line.ts';

interface Parts
  extends Pick<DataPort, 'api' | 'queryClient' | 'queries' | 'known'>,
    Pick<Services, 'toast' | 'log'> {
  /** The browser's clock, in its time zone. */
  readonly now: () => Date;
}

/** How long undoing is offered, ms: Tab has to reach it. */
const undoTime = 15_000;
const hour = 3_600_000;
/** The hour of the morning at which “until tomorrow” ends. */
const morning = 8;

/** When an acknowledgement ends that begins now. */
export function endOf(time: Exclude<AcknowledgeTime, 'end'>, now: Date): Date {
  switch (time) {
    case '1h':
      return new Date(now.getTime() + hour);
    case '8h':
      return new Date(now.getTime() + 8 * hour);
    case 'week':
      return new Date(now.getTime() + 7 * 24 * hour);
    case 'tomorrow':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morning);
    default:
      return time satisfies never;
  }
}

/** Acknowledges the trouble of an object, or ends that. Throws Problem and Refusal. */
export async function acknowledge(parts: Parts, trouble: ObjectRef, time: AcknowledgeTime): Promise<void> {
  const { api, queryClient, queries, toast } = parts;
  const { cluster, ...object } = trouble;
  const clusterId = Number(cluster);
  const name = qualifiedName(trouble);
  const all = await queryClient.fetchQuery({ ...queries.acknowledgements, staleTime: 0 });
  const before = acknowledgementOf(all, clusterId, object);
  const save = async ({ causes, until }: Pick<Acknowledgement, 'causes' | 'until'>) =>
    await api.acknowledge({ params: { clusterId }, body: { object, causes, until } });
  const end = async (id: string) => await api.unacknowledge({ params: { acknowledgementId: id } });
  const reread = () => queryClient.invalidateQueries({ queryKey: queries.acknowledgements.queryKey });
  const undo = (act: () => Promise<unknown>) => ({
    label: 'Undo',
    run: () => {
      act()
        .then(reread)
        .then(() => toast.info(`${name}: undone`))
        .catch((error: unknown) =>
          tellFailure(error, 'This could not be undone.', { toast, log: parts.log }),
        );
    },
  });
  if (time === 'end') {
    if (before === undefined) throw new Refusal(`You have not acknowledged the problem of ${name}.`);
    await end(before.id);
    await reread();
    toast.success(`${name} is no longer acknowledged`, {
      duration: undoTime,
      actions: [undo(() => save(before))],
    });
    return;
  }
  const line = lineOf(parts, trouble);
  if (line === undefined || line.endedAt !== undefined)
    throw new Refusal(
      `${name} needs no attention now. You can acknowledge only what is listed under “Needs attention”.`,
    );
  const until = endOf(time, parts.now()).toISOString();
  const saved = await save({ causes: line.causes.map((cause) => ({ ...cause })), until });
  await reread();
  toast.success(`${name} acknowledged ${untilText(until, parts.now())}`, {
    detail: 'Only for you. It is shown again if it gets worse.',
    duration: undoTime,
    actions: [undo(() => (before === undefined ? end(saved.id) : save(before)))],
  });
}
