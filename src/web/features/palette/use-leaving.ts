import { type RefObject, useRef } from 'react';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { holdKeys } from '../../kit/open-guards.ts';
import { useFocusReturn } from '../../kit/use-focus-return.ts';
import { focusBeforeGoing, returnFocus } from './palette-focus.ts';

/** Closing the palette, and what is done once it is gone and the focus is back. */
export interface Leaving {
  close(): void;
  /** Does something once the palette is gone. @param isWay whether it leads to another page */
  andThen(act: () => unknown, isWay?: boolean): void;
  /** Opens something once the palette is gone; what keeps it from opening is said. */
  to(open: () => void): void;
  /** Gives the focus back and does what was to come afterwards: as the dialog goes. */
  gone(): void;
}

/** @param opener where the focus returns to */
export function useLeaving(opener: Element | null, onClose: () => void): Leaving {
  const { services } = useCommands();
  const returning = useFocusReturn();
  const afterwards: RefObject<(() => unknown) | undefined> = useRef(undefined);
  const isGoing = useRef(false);
  const leave = (act: (() => unknown) | undefined, isWay = false) => {
    // Keys that follow the choice are meant for what was chosen.
    const arrived = act === undefined ? undefined : holdKeys();
    afterwards.current = async () => {
      try {
        await act?.();
      } finally {
        arrived?.();
      }
    };
    isGoing.current = isWay;
    onClose();
  };
  return {
    close: () => leave(undefined),
    andThen: leave,
    to: (open) =>
      leave(() => {
        try {
          open();
        } catch (error) {
          tellFailure(error, 'The chosen page could not be opened.', services);
        }
      }, true),
    gone: () => {
      returning(() => {
        if (isGoing.current) focusBeforeGoing(opener, () => services.view.focus());
        else returnFocus(opener);
      });
      void afterwards.current?.();
    },
  };
}
