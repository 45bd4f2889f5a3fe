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
      /** The words of the link to where it is tried: a list of pods, or a page of the settings. */
      readonly link: string | undefined;
    }
  >
> = {
  palette: {
    title: 'Go anywhere by a few letters',
    help: 'Open the palette, type a part of a name or of what you want to do, and press Enter.',
    command: 'palette.open',
    link: undefined,
  },
  filter: {
    title: 'Filter a list',
    help: 'In a list such as Pods, type what you look for: “restarts>3”, “status!=Running” or a name.',
    command: 'table.filter',
    link: 'Open the pods',
  },
  logs: {
    title: 'Read logs',
    help: 'In the list of pods move the cursor to one and press the key.',
    command: 'object.logs',
    link: 'Open the pods',
  },
  alerts: {
    title: 'Get a message when something new fails',
    help: 'For a cluster or a namespace: in the console, by the browser or by mail. Off until you choose it.',
    command: 'settings.alerts',
    link: 'Choose alerts',
  },
};

/** A few things for a newcomer to try: each is ticked once it was done, and the card goes with the last one. */
export function FirstSteps() {
  const { firstSteps: kept } = useKept();
  const { registry } = useCommands();
  const { queries } = useData();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const clusterId = clusterToTry(useQuery(queries.clusters).data ?? []);
  const cell = kept(userId);
  const { done, isHidden } = useCell(cell);
  const follows = useQuery(queries.follows).data;
  const isAlerted = follows?.some(({ alerts }) => alerts !== undefined);
  const isDoneOf = (step: FirstStep) => (step === 'alerts' ? isAlerted !== false : done.includes(step));
  if (userId === 0 || isHidden || firstSteps.every(isDoneOf)) return null;
  const hrefOf = (step: FirstStep) => {
    if (step === 'alerts') return '/settings?section=alerts';
    return clusterId === undefined ? undefined : registry.href('pod.list', { clusterId: String(clusterId) });
  };
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
          const isDone = isDoneOf(step);
          const { title, help, command, link } = stepTexts[step];
          const href = hrefOf(step);
          return (
            <li key={step} className="flex items-center gap-2 border-t border-hairline px-3 py-1.5">
              <Glyph tone={isDone ? 'done' : 'idle'} />
              <span className="flex min-w-0 flex-1 flex-col leading-4">
                <b className={isDone ? 'font-medium text-text-3 line-through' : 'font-medium'}>{title}</b>
                <span className="text-xs text-text-2">
                  {isDone ? 'Done.' : help}
                  {!isDone && link !== undefined && href !== undefined && (
                    <>
                      {' '}
                      <PlaceLink href={href}>{link}</PlaceLink>
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
