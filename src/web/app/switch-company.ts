import { Problem } from '../../contract/problem.ts';
import { tellFailure } from '../../registry/commands/execute.ts';
import type { Services } from '../../registry/commands/services.ts';
import type { DataPort } from '../data/port.ts';
import { signInAddress } from '../data/sign-in-address.ts';

/** Inputs of a switch to another company. */
interface SwitchParts extends Pick<DataPort, 'api'>, Pick<Services, 'toast' | 'log'> {
  /** Forgets the places of the company that is left. */
  readonly forgetPlaces: () => void;
  /** Loads the page anew for the company that is entered. */
  readonly begin: () => void;
}

/** Switches the session to another company; offers to sign in again where that company asks for its own way in. */
export async function switchCompany(
  { api, toast, log, forgetPlaces, begin }: SwitchParts,
  companyId: number,
): Promise<void> {
  try {
    await api.switchCompany({ body: { companyId } });
    begin();
  } catch (error) {
    if (!(error instanceof Problem) || error.signInAt === undefined) {
      tellFailure(error, 'Switching the organisation failed.', { toast, log });
      return;
    }
    const { key, label } = error.signInAt;
    const leave = () => {
      forgetPlaces();
      location.assign(signInAddress(key, '/'));
    };
    toast.warning(error.title, {
      duration: Number.POSITIVE_INFINITY,
      actions: [{ label: `Continue with ${label}`, run: leave }],
    });
  }
}
