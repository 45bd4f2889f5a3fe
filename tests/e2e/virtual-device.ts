import type { Page } from 'playwright/test';

/** A device with a fingerprint reader, as far as the browser sees one. */
export interface Device {
  /** Whether the person's finger is the right one, or refused. */
  answers(isRight: boolean): Promise<void>;
}

/** Gives a page's browser a device. */
export async function addDevice(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answers: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
