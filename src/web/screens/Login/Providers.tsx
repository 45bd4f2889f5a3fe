import { useEffect, useState } from 'react';
import type { SignInProvider } from '../../../contract/sign-in.ts';
import { googleClientId } from '../../data/google-document.ts';
import { signInAddress } from '../../data/sign-in-address.ts';
import { Button } from '../../kit/Button.tsx';
import { GoogleMark } from './GoogleMark.tsx';
import { offerGoogleAccounts } from './google-script.ts';

/** Key of the provider that Google is. */
const google = 'google';

interface ProvidersProps {
  readonly providers: readonly SignInProvider[];
  /** Where the sign-in leads to: a path of this console. */
  readonly returnUrl: string;
  /**
   * Whether Google's script may offer accounts: only where nobody is signed in, and where no session comes to live in this
   * document.
   */
  readonly isScripted: boolean;
}

/** One button for each provider. It leaves this page: a form that a provider answers would be blocked. */
export function Providers({ providers, returnUrl, isScripted }: ProvidersProps) {
  const [leaving, setLeaving] = useState<string | undefined>(undefined);
  const hasGoogle = isScripted && providers.some(({ key }) => key === google);
  useEffect(() => {
    const clientId = googleClientId();
    if (!hasGoogle || clientId === undefined) return undefined;
    return offerGoogleAccounts(clientId, (email) => {
      setLeaving(google);
      location.assign(signInAddress(google, returnUrl, email));
    });
  }, [hasGoogle, returnUrl]);
  if (providers.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {providers.map(({ key, label }, index) => (
        <Button
          key={key}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first thing to do on this page
          autoFocus={index === 0}
          variant={index === 0 ? 'primary' : 'secondary'}
          size="lg"
          isWide
          icon={key === google ? <GoogleMark /> : undefined}
          isLoading={leaving === key}
          loadingText="Signing in..."
          onClick={() => {
            setLeaving(key);
            location.assign(signInAddress(key, returnUrl));
          }}
        >
          Continue with {label}
        </Button>
      ))}
    </div>
  );
}
