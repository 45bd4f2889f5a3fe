import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';

/** The bell of the top bar. */
export interface NotificationsPort {
  /** Whether its panel is open. */
  readonly isOpen: Cell<boolean>;
}

export const notificationsPort = createPort<NotificationsPort>('state of the bell');

/** The bell of the top bar. */
export const useNotifications = notificationsPort.use;
