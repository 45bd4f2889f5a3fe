import { tellFailure } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { saveFrom } from '../../kit/save.ts';
import { useData } from '../../data/port.ts';

/**
 * Saves a file for which the server needs a confirmed identity, once that is confirmed: a browser that follows the address
 * would save the refusal in its place. @returns what saves from an address
 */
export function useConfirmedSave(): (href: string) => void {
  const { api } = useData();
  const { services } = useCommands();
  return (href) => {
    void api.checkIdentity({}).then(
      () => saveFrom(href),
      (error: unknown) => tellFailure(error, 'The file could not be saved.', services),
    );
  };
}
