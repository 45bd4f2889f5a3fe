import { Command } from 'cmdk';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';

interface PaletteCommandProps {
  /** Id of the highlighted entry's element; undefined without one. */
  readonly activeId: string | undefined;
  /** Another entry is pointed at. @param option the id of its element */
  readonly onPoint: (option: string) => void;
  readonly children: ReactNode;
}

/** The server and `rank-entries.ts` have ranked the entries: cmdk is spared scoring each of them. */
const unranked = () => 1;

/** The keys that cmdk binds. Here they are commands, whose keys a person may change. */
const keysOfCmdk: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter']);

/** Leaves keys that no command took to what has the focus: Home and End to the field, Enter to a button. */
function keepFromCmdk(event: KeyboardEvent): void {
  if (keysOfCmdk.has(event.key)) event.stopPropagation();
}

/**
 * cmdk around the palette's field and list. It gives them their roles, ids and references, and says what is pointed at and
 * clicked; what is found, in which order, and what is highlighted is said to it. Its elements have no box of their own.
 */
export function PaletteCommand({ activeId, onPoint, children }: PaletteCommandProps) {
  // cmdk also reports the first line when the list changes, which nobody has pointed at.
  const isPointing = useRef(false);
  return (
    <Command
      // Its label names the field a second time.
      className="contents [&>[cmdk-label]]:hidden"
      shouldFilter={false}
      filter={unranked}
      vimBindings={false}
      value={activeId ?? ''}
      onPointerMoveCapture={() => {
        isPointing.current = true;
      }}
      onPointerMove={() => {
        isPointing.current = false;
      }}
      onValueChange={(option) => {
        if (isPointing.current) onPoint(option);
      }}
      // A press beside the list gives the focus to the dialog, not to this element.
      tabIndex={undefined}
    >
      <div className="contents" role="presentation" onKeyDown={keepFromCmdk}>
        {children}
      </div>
    </Command>
  );
}
