import type { Phrases } from './phrases.ts';

/** Phrases for pages of settings. */
export const settingsPhrases: Phrases = {
  settings: `
    all settings, configuration, control panel, preferences page, options, admin settings, :set, system
    preferences, setup, general settings, gear`,
  'settings.accessRequests': `
    request access, temporary admin, approve request, get permission, need permission, ask for access, pending
    requests, approve access, access approvals, who asked for access, approve requests, grant request, requests
    waiting, open requests, deny request, emergency access, temporary rights, approvals, pending approvals,
    waiting for approval, review access, access reviews, revoke temporary access`,
  'settings.appearance': `
    customise colours, customize colors, text size, text small, small text, bigger text, font, time zone,
    density, zoom, theme, font size, look and feel, display settings, confirm before, dark mode, colours, ask
    before changes, language, time format, compact, compact rows, compact mode, compact view, denser rows,
    dense, row height, spacing, tighter, comfortable, fit more on screen, bigger letters, larger text, make text
    larger, larger font, text bigger, too small to read, change font, magnify, accessibility, colour blind,
    color blind, colorblind, contrast, reduce motion, animations, turn off animations, motion, utc, local time,
    date format, timezone, 24 hour, display options, look, styling, confirmations, personal preferences,
    interface settings, ui settings, user interface, preferences`,
  'settings.audit': `
    who did that, history of changes, who scaled, accountability, what changed, audit log, who changed this, who
    did this, who deleted, change history, activity log, who restarted, log of changes, security log, what did
    others do, audit trail, audit logs, activity, activity history, activity history of the organisation, user
    activity, export audit log, download audit, cloudtrail, siem, who changed, who changed what, who edited, who
    touched, who broke it, who broke prod, who did it, who looked at secrets, who looked at the secrets, who
    read secret, who viewed, who accessed, who logged in, login history, sign in history, failed logins, who was
    it, what did people change, what did people change today, changes today, recent changes, last changes,
    change log, changelog, compliance, compliance report, soc2, iso 27001, evidence, forensics, security events,
    trail, who scaled this, who added, who approved, history of actions, what happened today, blame, git blame`,
  'settings.chatModel': `
    ai settings, openai key, configure ai, chat model, turn off ai, choose model, change model, ai model, ai
    provider, set up ai, connect openai, anthropic key, claude key, disable ai, enable ai, ollama, own llm,
    local llm, bring your own key, ai configuration, ai privacy`,
  'settings.companies': `
    my companies, leave company, join company, new company, my organizations, organisations, organizations,
    leave organisation, leave organization, join organisation, my orgs, accept invitation, invitation to join,
    create organisation, new organisation, new organization, found company, list organisations, orgs`,
  'settings.company': `
    company name, rename company, delete company, company settings, organization settings, organisation
    settings, rename organisation, rename organization, rename our organisation, change organisation name, org
    settings, org name, delete organisation, delete organization, company profile, organisation profile, close
    account, delete everything, company logo, legal name, company details`,
  'settings.companySignIn': `
    saml, okta, entra, azure ad, keycloak, ldap, require 2fa, company login, active directory, single sign on,
    sso, sso okta, single sign-on, set up sso, configure sso, enforce sso, enforce mfa, mandatory mfa, mandatory
    2fa, force mfa, require mfa, require passkey, oidc, openid, google workspace, microsoft login, azure login,
    entra id, adfs, onelogin, auth0, ping identity, identity provider, idp, scim, directory sync, password
    policy, password rules, session timeout, login policy, sign in policy, login for everyone, login rules,
    federated login, domain verification, group mapping, company sso`,
  'settings.alerts': `
    tell me when something breaks, notify me, email alerts, alert settings, turn off notifications, mute alerts,
    do not disturb, pager, on call, notification settings, mail me, alarm, mute, daily digest, quiet hours`,
  'settings.keys': `
    change shortcuts, rebind keys, vim keys, remap keys, custom shortcuts, key bindings, change hotkeys, custom
    keys, own shortcuts, keyboard layout, keyboard settings, edit shortcuts, emacs keys, vi mode, vim mode, vim
    bindings, change keybindings, set shortcut, german keyboard, qwertz, azerty, remap, disable shortcuts,
    different keys`,
  'settings.plan': `
    cancel subscription, pay, paid plan, subscribe, cost, bill, vat, billing, invoices, pricing, credit card,
    payment method, upgrade plan, how much does it cost, costs, receipt, licence, license, invoice, our plan,
    current plan, plan details, billing page, billing details, billing address, update card, change credit card,
    change card, payment, payments, payment failed, payment details, download invoice, download receipt, last
    invoice, vat number, tax id, tax, purchase order, po number, seats, how many seats, seats left, add seats,
    buy seats, more seats, licenses, licences, licenses left, number of licences, number of users we pay for,
    cancel plan, end subscription, stop paying, monthly cost, yearly billing, annual billing, annual plan,
    renewal, renew, contract, spend, spending, how much do we pay, what do we pay, what does it cost, expenses,
    finance, budget, usage limits, trial, trial ends, free trial, refund, discount, money, accounting,
    statement, enterprise`,
  'settings.profile': `
    change password, change email, my account, my name, reset password, change name, user profile, avatar,
    forgot password, account settings, my profile, profile picture, edit profile, change my name, change my
    email, change mail address, new password, my password, reset my password, account details, my details,
    personal data, who am i, whoami, user settings, delete my account, contact details, my user, email address,
    your account`,
  'settings.recordings': `
    recorded sessions, session recording, watch shell, terminal recordings, replay session, shell history,
    replay terminal, terminal replay, terminal recording, recorded terminal, session replay, watch recording,
    screen recording, video of session, shell recordings, what did they type, typed commands, bash history,
    command history, keystrokes, session playback, recorded shell, recorded exec`,
  'settings.signIn': `
    reset 2fa, lost phone, google login, github login, devices, 2fa, mfa, passkey, passkeys, security key, two
    factor, two-factor, authenticator, yubikey, webauthn, otp, fingerprint, logged in devices, my sessions,
    active sessions, other devices, login methods, touch id, log out everywhere, security keys, enable 2fa,
    enable mfa, set up 2fa, set up passkey, register yubikey, two step verification, google authenticator,
    authentication app, backup codes, recovery codes, hardware key, where am i logged in, log out other devices,
    sessions, my devices, link google, link github, connect google account, login settings, login options,
    signin settings, face id, windows hello, biometric, stolen laptop, lost laptop, sign out everywhere`,
  'settings.tokens': `
    revoke token, service token, robot token, github actions, bearer token, api key, api keys, access token, ci
    token, create api token, terraform, automation, new token, generate token, token, tokens, rotate api key,
    rotate token, revoke api token, expired token, leaked token, leaked key, new api key, personal access token,
    pat, access keys, api access, use api, rest api, api, programmatic access, for scripts, script access, curl,
    ci/cd, cicd, jenkins, gitlab ci, pipeline, machine token, cli login, cli token, api credentials, deploy
    token`,
};
