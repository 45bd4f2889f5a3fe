import { useQuery } from '@tanstack/react-query';
import { Download, Plus, Users } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { Member } from '../../../contract/members.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { createListMarks } from '../../core/state/list-marks.ts';
import { useCell } from '../../core/state/state.ts';
import { useNow } from '../../data/now.ts';
import { useData } from '../../data/port.ts';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { saveText } from '../../kit/save.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useTool } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberFilters } from './MemberFilters.tsx';
import { MemberTable } from './MemberTable.tsx';
import { Sections, sectionOf } from './Sections.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { membersCsv, shownMembers } from './shown-members.ts';

/** `/settings/organization/members`: the people of the organisation, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const [search] = useViewSearch();
  const section = sectionOf(search);
  const members = useQuery(queries.members);
  const isLong = useLongWait(members.isPending);
  const [inviting, setInviting] = useState<string | undefined>(undefined);
  const list = useMemberList(members.data, section === 'members', () => setInviting(''));
  useFirstLine(members.data !== undefined);
  return (
    <SettingsPage
      command={command}
      actions={
        <>
          {section === 'members' && (
            <Button
              variant="secondary"
              icon={<Download size={14} strokeWidth={1.75} aria-hidden="true" />}
              onClick={list.save}
              aria-label="Save these members as CSV"
            >
              CSV
            </Button>
          )}
          <Button
            icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setInviting('')}
          >
            Invite…
          </Button>
        </>
      }
      hints={[
        { id: 'members.search', text: 'search' },
        { id: 'members.select', text: 'select' },
        { id: 'members.invite', text: 'invite somebody' },
        { id: 'members.role', text: 'role' },
        { id: 'members.suspend', text: 'suspend' },
      ]}
      about="The people of the organisation and their roles"
      status={members.data !== undefined && <span role="status">{peopleText(list, members.data)}</span>}
    >
      <ErrorAlert
        title="Could not load the members."
        error={members.error}
        onRetry={() => void members.refetch()}
        isRetrying={members.isFetching}
      />
      <PlanNote of="seats" isOnlyReached />
      <Sections current={section} members={members.data?.length} />
      {section === 'members' ? (
        <>
          <MemberFilters field={list.field} />
          {members.isPending && isLong && <SkeletonRows isFramed />}
          {list.people.length > 0 && <SelectionBar people={list.people} onClear={list.clear} />}
          {list.shown.length > 0 && (
            <>
              <CheckLine
                className="px-3"
                checked={list.people.length === list.shown.length}
                onChange={list.toggleAll}
              >
                Select all {list.shown.length} that show
              </CheckLine>
              <MemberTable members={list.shown} selected={list.selected} onToggle={list.toggle} />
            </>
          )}
          {members.data !== undefined && list.shown.length === 0 && (
            <State
              icon={<Users size={20} strokeWidth={1.5} aria-hidden="true" />}
              title="No such member"
              place="page"
            >
              Nobody fits the filter. Clear it, or use fewer terms.
            </State>
          )}
        </>
      ) : (
        <Invitations part={section} onInvite={(email) => setInviting(email)} />
      )}
      {inviting !== undefined && <InviteDialog email={inviting} onClose={() => setInviting(undefined)} />}
    </SettingsPage>
  );
}

function peopleText({ shown }: { readonly shown: readonly Member[] }, { length }: readonly Member[]): string {
  if (shown.length !== length) return `${shown.length} of ${length} people`;
  return length === 1 ? '1 person' : `${length} people`;
}

/** Members that fit the filter, those that are selected of them, and the keys of the list. */
function useMemberList(members: readonly Member[] | undefined, isListed: boolean, invite: () => void) {
  const { moment } = useCommands();
  const [search] = useViewSearch();
  const now = useNow();
  const field = useRef<HTMLInputElement>(null);
  const [marks] = useState(createListMarks);
  const marked = useCell(marks.selected);
  const minute = Math.floor(now / 60_000) * 60_000;
  const shown = useMemo(() => shownMembers(members ?? [], search, minute), [members, search, minute]);
  // An act on several people takes none that the filter hides.
  const selected = useMemo(
    () => new Set(shown.flatMap(({ userId }) => (marked.has(String(userId)) ? [userId] : []))),
    [shown, marked],
  );
  const people = useMemo(
    () => shown.filter(({ userId }) => selected.has(userId)).map(({ userId: id, name }) => ({ id, name })),
    [shown, selected],
  );
  const toggleAll = () => marks.toggleAll(shown.map(({ userId }) => String(userId)));
  const save = () => saveText('members.csv', membersCsv(shown), 'text/csv');
  const selectAtHand = () => {
    const id = moment.atHand().person?.id;
    if (id !== undefined) marks.toggle(String(id));
  };
  useTool(
    'page',
    isListed
      ? {
          invite,
          searchPeople: () => field.current?.focus(),
          selectPerson: selectAtHand,
          selectPeople: toggleAll,
          saveCsv: save,
        }
      : { invite },
    people,
  );
  return {
    field,
    shown,
    selected,
    people,
    toggleAll,
    save,
    toggle: ({ userId }: Member) => marks.toggle(String(userId)),
    clear: marks.clear,
  };
}
