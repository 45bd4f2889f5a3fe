import { Pause, Play } from 'lucide-react';
import { type FormEvent, type RefObject, useState } from 'react';
import { useCell } from '../../core/state/state.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Select } from '../../kit/Select.tsx';
import { clockTime } from './clock-time.ts';
import { type Player, speeds } from './player.ts';

interface ReplayControlsProps {
  readonly player: Player;
  readonly find: RefObject<HTMLInputElement | null>;
}

/** Plays, pauses, and goes to a moment or to a text. */
export function ReplayControls({ player, find }: ReplayControlsProps) {
  const { position, duration, isPlaying, speed } = useCell(player.state);
  const [wanted, setWanted] = useState('');
  const [missing, setMissing] = useState<string | undefined>(undefined);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setMissing(player.find(wanted) ? undefined : 'It is not shown.');
  };
  const time = `${clockTime(position)} of ${clockTime(duration)}`;
  return (
    <div
      className="flex min-w-0 flex-none flex-wrap items-end gap-x-3 gap-y-2 border-t border-border bg-raised px-3 py-2"
      role="group"
      aria-label="Replay"
    >
      <IconButton label={isPlaying ? 'Pause' : 'Play'} onClick={() => player.toggle()}>
        {isPlaying ? (
          <Pause size={16} strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <Play size={16} strokeWidth={1.75} aria-hidden="true" />
        )}
      </IconButton>
      <label className="flex min-w-40 flex-1 flex-col gap-1">
        <span className="tabular-nums">{time}</span>
        <input
          className="h-6 w-full accent-accent"
          type="range"
          aria-label="Position"
          aria-valuetext={time}
          min={0}
          max={Math.max(1, Math.ceil(duration))}
          step={100}
          value={Math.round(position)}
          onChange={({ target }) => player.seek(Number(target.value))}
        />
      </label>
      <div className="w-28">
        <Select
          label="Speed"
          value={String(speed)}
          options={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
          onChange={(value) => player.setSpeed(speeds.find((one) => String(one) === value) ?? 1)}
        />
      </div>
      <form className="flex min-w-0 items-end gap-2" aria-label="Find in what was shown" onSubmit={search}>
        <div className="w-44">
          <TextField
            ref={find}
            label="Find"
            autoComplete="off"
            spellCheck={false}
            value={wanted}
            error={missing}
            onChange={({ target }) => {
              setWanted(target.value);
              setMissing(undefined);
            }}
          />
        </div>
        <Button type="submit" variant="secondary" reason={wanted === '' ? 'Type what to find.' : undefined}>
          Next
        </Button>
      </form>
    </div>
  );
}
