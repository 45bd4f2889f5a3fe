/** What both sorts of frames begin with: they hear their parent alone, and answer it at the console's origin alone. */
const sharedScript = `
  const { origin } = document.documentElement.dataset;
  const tell = (message) => window.parent.postMessage(message, origin);
  const opened = (open) => {
    let isOpen = false;
    addEventListener('message', (event) => {
      if (event.source !== window.parent || event.origin !== origin || event.data?.type !== 'open' || isOpen) return;
      isOpen = true;
      open(event.data);
    });
    tell({ type: 'ready' });
  };`;

/** The provider's own script opens its page and says what became of it. */
export const scriptOfChargebee = `${sharedScript}
  opened(({ site, hostedPageId, url, isChange }) => {
    if (typeof Chargebee === 'undefined') return tell({ type: 'failed' });
    let isPaid = false;
    Chargebee.init({ site }).openCheckout({
      hostedPage: async () => ({
        id: hostedPageId,
        type: isChange ? 'checkout_existing' : 'checkout_new',
        url,
        state: 'created',
        embed: true,
      }),
      success: (id) => { isPaid = true; tell({ type: 'success', hostedPageId: id }); },
      close: () => { if (!isPaid) tell({ type: 'closed' }); },
      error: () => tell({ type: 'failed' }),
    });
  });`;

/** The test mode needs no script of anybody: its page is framed, and what it says is passed on. */
export const scriptOfTest = `${sharedScript}
  opened(({ url }) => {
    const frame = document.createElement('iframe');
    frame.title = 'Test checkout';
    frame.src = url;
    addEventListener('message', (event) => {
      if (event.source !== frame.contentWindow) return;
      const { type, hostedPageId } = event.data ?? {};
      if (type === 'success' && typeof hostedPageId === 'string') tell({ type, hostedPageId });
      if (type === 'closed') tell({ type });
    });
    document.body.append(frame);
  });`;
