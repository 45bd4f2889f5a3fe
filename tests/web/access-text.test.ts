import { describe, expect, it } from 'vitest';
import { type AccessRequest, requestStates } from '../../src/contract/access-requests.ts';
import { leftText, lengthText, newsOf, placeText } from '../../src/web/frame/access-text.ts';

const request: AccessRequest = {
  id: 1,
  person: { name: 'Noa', email: 'noa@example.org' },
  cluster: { id: 1, name: 'harbour' },
  permissions: ['pods.manage', 'pods.view'],
  namespaces: ['shop', 'data'],
  reason: 'An incident',
  minutes: 60,
  state: 'active',
  askedAt: '2026-11-25T10:00:00.000Z',
  decideBy: '2026-11-26T10:00:00.000Z',
  approvedBy: ['Tara'],
  approversNeeded: 1,
  decidedBy: 'Tara',
  endsAt: '2026-11-25T11:00:00.000Z',
  isOwn: true,
  mayDecide: false,
  mayApprove: false,
  mayEnd: true,
};

describe('temporary access in words', () => {
  it('counts down to the second, and never below nothing', () => {
    expect([3_600_000, 3_599_001, 65_000, 1, 0, -5].map(leftText)).toEqual([
      '1:00:00',
      '1:00:00',
      '1:05',
      '0:01',
      '0:00',
      '0:00',
    ]);
  });

  it('says lengths of time and places', () => {
    expect([15, 60, 120, 90].map(lengthText)).toEqual(['15 minutes', '1 hour', '2 hours', '90 minutes']);
    expect(placeText(request)).toBe('harbour in shop, data');
    expect(placeText({ ...request, namespaces: null })).toBe('harbour');
  });

  it('tells a person what others decided and what ended, and nothing that they did themself', () => {
    const news = requestStates.map((state) => [state, newsOf({ ...request, state }, '11:00') !== undefined]);
    expect(Object.fromEntries(news)).toEqual({
      pending: false,
      lapsed: true,
      refused: true,
      withdrawn: false,
      active: true,
      expired: true,
      revoked: true,
      ended: true,
    });
    expect(newsOf(request, '11:00')).toBe(
      'Tara approved your request: you hold pods.manage, pods.view on harbour in shop, data until 11:00.',
    );
  });
});
