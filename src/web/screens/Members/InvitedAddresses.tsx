import { FileUp } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { counted } from '../../../registry/counted.ts';
import { readFiles } from '../../features/create/read-files.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { FieldError, FieldHelp, fieldLook, labelLook } from '../../kit/fields.tsx';
import { TextArea } from '../../kit/input.tsx';
import { roleName } from '../team-role.ts';
import type { InvitedLine } from './invited-lines.ts';

interface InvitedAddressesProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly lines: readonly InvitedLine[];
  /** Names of teams by id. */
  readonly teams: ReadonlyMap<number, string>;
  /** The server's answer for a single address. */
  readonly issue: string | undefined;
}

/** Where addresses go in, by typing, by paste or from a file; below, each of several as it is judged. */
export function InvitedAddresses({ text, onText, lines, teams, issue }: InvitedAddressesProps) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const note = issue ?? failure;
  return (
    <div className={fieldLook}>
      <span className="flex min-w-0 items-center gap-1.5">
        <label htmlFor={id} className={`${labelLook} min-w-0 flex-1`}>
          Email addresses
          <span className="text-bad-fg" aria-hidden="true">
            {' '}
            *
          </span>
        </label>
        <Button
          size="sm"
          variant="secondary"
          icon={<FileUp size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => picker.current?.click()}
        >
          Open a CSV
        </Button>
      </span>
      <input
        ref={picker}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file === undefined) return;
          readFiles([file]).then(
            (read) => {
              setFailure(undefined);
              onText(read);
            },
            (reason: unknown) =>
              setFailure(reason instanceof Error ? reason.message : 'The file could not be read.'),
          );
        }}
      />
      <TextArea
        id={id}
        required
        rows={3}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        isInvalid={note !== undefined}
        value={text}
        onChange={({ target }) => onText(target.value)}
        aria-describedby={`${id}-note`}
      />
      {note === undefined ? (
        <FieldHelp id={`${id}-note`}>
          One a line, or a CSV: the address, then its teams, as in “ann@example.org,Shop as TeamAdmin; Devs”.
          Each invitation works for its address only, for seven days.
        </FieldHelp>
      ) : (
        <FieldError id={`${id}-note`} role="alert">
          {note}
        </FieldError>
      )}
      {(lines.length > 1 || lines.some((line) => line.teams.length > 0)) && (
        <JudgedLines lines={lines} teams={teams} />
      )}
    </div>
  );
}

function JudgedLines({ lines, teams }: Pick<InvitedAddressesProps, 'lines' | 'teams'>) {
  const ready = lines.filter(({ problem }) => problem === undefined).length;
  return (
    <>
      <p role="status" className="text-xs text-text-2">
        {ready === lines.length
          ? `${counted(ready, 'address')} can be invited.`
          : `${ready} of ${counted(lines.length, 'address')} can be invited.`}
      </p>
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
        tabIndex={0}
        aria-label="Addresses to invite"
        className="flex max-h-48 min-w-0 flex-col divide-y divide-hairline overflow-y-auto rounded-sm border border-border px-2"
      >
        {lines.map(({ line, email, teams: places, problem }, index) => (
          <li key={`${line} ${index}`} className="flex min-w-0 items-center gap-2 py-1">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {email}
              {(places.length > 0 || problem !== undefined) && (
                <span className="block text-xs text-text-3">
                  {problem === undefined
                    ? places
                        .map(({ teamId, role }) => `${teams.get(teamId) ?? teamId} as ${roleName(role)}`)
                        .join(', ')
                    : `Line ${line}: ${problem}`}
                </span>
              )}
            </span>
            <Badge tone={problem === undefined ? 'ok' : 'warn'}>
              {problem === undefined ? 'Ready' : 'Left out'}
            </Badge>
          </li>
        ))}
      </ul>
    </>
  );
}
