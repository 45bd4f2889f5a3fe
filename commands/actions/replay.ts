import { action } from '../../src/registry/commands/command.ts';
import { type ReplayTurn, replayTenths } from '../../src/registry/commands/services.ts';

const turn = (
  what: ReplayTurn,
  title: string,
  keys: string | readonly string[],
  keywords: readonly string[] = [],
) =>
  action({
    id: `replay.${what}`,
    title,
    group: 'Replay',
    keywords,
    when: { shell: 'app', focus: 'replay' },
    keys,
    run: (_, { view }) => {
      view.tool()?.turn(what);
    },
  });

/** Playing what a recorded shell showed. */
export const replayActions = [
  turn('play', 'Play or pause', ['space', 'k'], ['stop', 'start', 'resume']),
  turn('back', 'Five seconds back', 'left', ['rewind', 'seek']),
  turn('forward', 'Five seconds forward', 'right', ['skip', 'seek']),
  turn('slower', 'Play slower', 'down', ['speed']),
  turn('faster', 'Play faster', 'up', ['speed']),
  turn('find', 'Find in what was shown', '/', ['search']),
  ...replayTenths.map((tenth, number) =>
    number === 0
      ? turn(`to${tenth}`, 'To the beginning', ['0', 'home'], ['restart', 'seek'])
      : turn(`to${tenth}`, `To ${number}0 % of the recording`, String(number), ['seek']),
  ),
];
