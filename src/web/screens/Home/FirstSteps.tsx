import { useQuery } from '@tanstack/react-query';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { type FirstStep, firstSteps } from '../../core/state/first-steps.ts';
import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { Button } from '../../kit/Button.tsx';
import { Card } from '../../kit/Card.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { clusterToTry } from './fleet.ts';

const stepTexts: Readonly<
  Record<
    FirstStep,
    {
      readonly title: string;
      readonly help: string;
      readonly command: string;
      /** It is tried in a list of pods, to which a link leads. */
      readonly isInPods?: true;
    }
  >
> = {
  palette: {
    title: 'Go anywhere by a few letters',
    help: 'Open the palette, type a part of a name or of what you want to do, and press Enter.',
    command: 'palette.open',
  },
  filter: {
    title: 'Filter a list',
    help: 'In a list such as Pods, type what you look for: “restarts>3”, “status!=Running” or a name.',
    command: 'table.filter',
    isInPods: true,
  },
  logs: {
    title: 'Read logs',
    help: 'In the list of pods move the cursor to one and press the key.',
    command: 'object.logs',
    isInPods: true,
  },
};

/** Three things for a newcomer to try: each is ticked once it was done, and the card goes with the last one. */
export function FirstSteps() {
  const { firstSteps: kept } = useKept();
  const { registry } = useCommands();
  const { queries } = useData();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const clusterId = clusterToTry(useQuery(queries.clusters).data ?? []);
  const cell = kept(userId);
  const { done, isHidden } = useCell(cell);
  if (userId === 0 || isHidden || done.length === firstSteps.length) return null;
  return (
    <Card
      title="Try this"
      beside={
        <Button
          className="-my-1 ml-auto"
          size="sm"
          variant="transparent"
          onClick={() => cell.update((state) => ({ ...state, isHidden: true }))}
        >
          Hide
        </Button>
      }
    >
      <ul>
        {firstSteps.map((step) => {
          const isDone = done.includes(step);
          const { title, help, command, isInPods } = stepTexts[step];
          return (
            <li key={step} className="flex items-center gap-2 border-t border-hairline px-3 py-1.5">
              <Glyph tone={isDone ? 'done' : 'idle'} />
              <span className="flex min-w-0 flex-1 flex-col leading-4">
                <b className={isDone ? 'font-medium text-text-3 line-through' : 'font-medium'}>{title}</b>
                <span className="text-xs text-text-2">
                  {isDone ? 'Done.' : help}
                  {!isDone && isInPods && clusterId !== undefined && (
                    <>
                      {' '}
                      <PlaceLink href={registry.href('pod.list', { clusterId: String(clusterId) })}>
                        Open the pods
                      </PlaceLink>
                    </>
                  )}
                </span>
              </span>
              {!isDone && <KeysOf id={command} />}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
