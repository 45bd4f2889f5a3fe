import type { SentInvitation } from '../../../contract/invitations.ts';
import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';
import type { AskedAct } from './asked-acts.ts';

/** A person or an invitation by its id, with its name or address. */
export interface PersonOrInvitation {
  readonly id: number;
  readonly name: string;
}

/** A dialog about the people of the company that is open. */
export type OrganisationDialog =
  | {
      readonly type: 'ask';
      readonly act: AskedAct;
      /** The people or the invitation that it is about. */
      readonly about: readonly [PersonOrInvitation, ...PersonOrInvitation[]];
    }
  | { readonly type: 'sent'; readonly sent: SentInvitation };

/** Acts on people and invitations that wait for somebody. */
export interface OrganisationPort {
  readonly dialog: Cell<OrganisationDialog | undefined>;
}

export const organisationPort = createPort<OrganisationPort>('state of acts on people');

/** Acts on people and invitations that wait for somebody. */
export const useOrganisation = organisationPort.use;
