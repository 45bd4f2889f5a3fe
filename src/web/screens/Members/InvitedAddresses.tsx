import { counted } from '../../../registry/counted.ts';
import { readFiles } from '../../features/create/read-files.ts';
import { Badge } from '../../kit/Badge.tsx';
import { roleName } from '../team-role.ts';
import { fieldLook } from '../../kit/fields.tsx';
import { TextFileField } from '../TextFileField.tsx';
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
  return (
    <div className={fieldLook}>
      <TextFileField
        label="Email addresses"
        fileLabel="Open a CSV"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        required
        rows={3}
        read={(file) => readFiles([file])}
        value={text}
        onChange={onText}
        error={issue}
        help="One a line, or a CSV: the address, then its teams, as in “ann@example.org,Shop as TeamAdmin; Devs”. Each invitation works for its address only, for seven days."
      />
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
