import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { safeHref } from '../../kit/SafeLink.tsx';

/** Leads to the provider's own pages for payment methods and invoices, in a window of their own. */
export function PortalButton() {
  const { services } = useCommands();
  const { api } = useData();
  const [isOpening, setOpening] = useState(false);
  const open = async () => {
    // Opened by the press itself, before anything is waited for: a browser blocks it otherwise.
    const opened = window.open('', '_blank');
    // The provider's page does not reach this one.
    if (opened !== null) opened.opener = null;
    setOpening(true);
    try {
      const address = safeHref((await api.billingPortal({})).url);
      if (address === undefined) throw new Error('The provider named no address.');
      if (opened === null) location.assign(address);
      else opened.location.replace(address);
    } catch (error) {
      opened?.close();
      tellFailure(error, 'The billing portal could not be opened.', services);
    } finally {
      setOpening(false);
    }
  };
  return (
    <Button
      variant="secondary"
      icon={<ExternalLink size={13} strokeWidth={1.75} aria-hidden="true" />}
      iconSide="right"
      isLoading={isOpening}
      onClick={() => void open()}
    >
      Billing portal
    </Button>
  );
}
