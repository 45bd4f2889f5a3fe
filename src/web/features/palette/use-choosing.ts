import { useQuery } from '@tanstack/react-query';
import { type ActionCommand, isOrganisationArg } from '../../../registry/commands/command.ts';
import { withRun } from '../../../registry/palette/recents.ts';
import { useCommands } from '../../core/commands.ts';
import { withSteps } from '../../core/state/first-steps.ts';
import { useKept } from '../../core/state/port.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { kindsNamed } from './command-entries.ts';
import type { Entry } from './entries.ts';
import { lastFrame, typed, withAllObjects, withExcludedObjects } from './frames.ts';
import { answered, nextStep, type Pending, type RunTarget } from './pending.ts';
import type { Leaving } from './use-leaving.ts';
import type { Levels } from './use-levels.ts';

/** Whether a command names somebody, whom no list of what was run before shall name. */
const isAboutPeople = ({ args = {} }: ActionCommand): boolean =>
  Object.values(args).some(({ type }) => isOrganisationArg(type));

/** Runs, opens or completes the chosen entry, or changes the level that is shown. */
export function useChoosing(
  levels: Levels,
  leaving: Leaving,
): (entry: Entry | undefined, target: RunTarget) => void {
  const { run, services } = useCommands();
  const { recents, firstSteps } = useKept();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const userId = useQuery(queries.session).data?.id;
  /** Whatever was chosen, the palette has been tried. */
  const noteTried = () => {
    if (userId !== undefined) firstSteps(userId).update((state) => withSteps(state, ['palette']));
  };
  const finish = ({ command, args, subject }: Pending, target: RunTarget) => {
    noteTried();
    if (
      userId !== undefined &&
      command.type === 'action' &&
      command.group !== 'List' &&
      !isAboutPeople(command)
    ) {
      const refs = subject.type === 'objects' && command.actsOn !== undefined ? subject.refs : [];
      recents
        .runs(userId)
        .update((runs) => withRun(runs, { command: command.id, args, refs, at: Date.now() }));
    }
    leaving.andThen(
      () => run(command.id, args, { subject, source: 'palette', target }),
      command.type === 'route',
    );
  };
  const proceed = (next: Pending, target: RunTarget) => {
    if (nextStep(next) === undefined) finish(next, target);
    else levels.go([...levels.now.get(), { type: 'step', text: '', pending: next }]);
  };
  return (entry, target) => {
    if (entry === undefined) return;
    if (entry.reason !== undefined) {
      services.toast.info(entry.reason);
      return;
    }
    const frames = levels.now.get();
    const frame = lastFrame(frames);
    const { act } = entry;
    switch (act.type) {
      case 'command':
        proceed(
          {
            command: act.command,
            args: act.args,
            subject: act.subject,
            kinds: frame.type === 'root' ? kindsNamed(act.command, frame.text) : undefined,
            answers: [],
          },
          target,
        );
        break;
      case 'object':
        noteTried();
        leaving.to(() => services.objects.open(act.ref, target));
        break;
      case 'place':
        noteTried();
        leaving.to(() => workspace.open(act.href, target));
        break;
      case 'text':
        levels.go(typed(frames, act.text));
        break;
      case 'all-objects':
        levels.go(withAllObjects(frames));
        break;
      case 'excluded-objects':
        levels.go(withExcludedObjects(frames));
        break;
      case 'answer': {
        const step = frame.type === 'step' ? nextStep(frame.pending) : undefined;
        if (frame.type === 'step' && step !== undefined)
          proceed(answered(frame.pending, step, act.value, act.label), target);
        break;
      }
      default:
        act satisfies never;
    }
  };
}
