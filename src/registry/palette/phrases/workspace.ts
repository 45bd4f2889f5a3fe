import type { Phrases } from './phrases.ts';

/** Phrases for tabs, tiles, lists, logs and appearance. */
export const workspacePhrases: Phrases = {
  'appearance.setTheme': `
    dark mode, light mode, night mode, dark theme, light theme, change colours, change colors, too bright, black
    background, white background, high contrast, switch theme, theme dark, theme light, change theme, night,
    lights off, turn on dark mode, dark, light, black, white mode, bright, my eyes hurt, solarized, black theme,
    white theme, darkmode, lightmode, color scheme, colour scheme, dark ui, colour blind, color blind`,
  'appearance.setUsageRange': `
    longer history, last week, chart range, last hour of cpu, usage over time, time range, history of cpu, zoom
    chart, longer chart, last 24 hours`,
  'changes.guard': `
    confirm before, ask before, confirmation dialogs, safe mode, undo window, confirm dialogs, are you sure, ask
    me before, confirmation, prevent accidents, accidental delete, undo delay, ask first, disable confirmation,
    no confirmation, skip confirmation`,
  'changes.undo': `
    undo, undo that, stop that, cancel change, abort, ctrl z, oops, take it back, i made a mistake`,
  'filter.forget': `
    remove bookmark, delete saved search, delete view, remove favourite`,
  'filter.help': `
    filter syntax, how to filter, query language, search syntax, regex help, search operators, filter examples`,
  'filter.open': `
    bookmarks, saved searches, favourites, favorites, saved views, my views, saved queries, my filters, my saved
    searches, open bookmark, load filter`,
  'filter.rename': `
    rename bookmark, rename view`,
  'filter.save': `
    save search, bookmark, favourite, favorite, pin, bookmark this, bookmark this filter, bookmark view, save
    view, save this view, save query, keep this search, remember filter, remember this, add to favourites, add
    to favorites, custom view, store filter`,
  'keys.sheet': `
    ctrl k, cmd k, command palette, shortcuts, hotkeys, cheatsheet, how do i use keyboard, keyboard help, list
    of keys, manual, documentation, docs, help, keyboard shortcut, shortcut list, list of shortcuts, hotkey,
    hotkeys cheat sheet, what keys, which key, what does this key do, key help, keys help, how do i use this,
    how does this work, tutorial, user guide, handbook, :help, guide, f1, learn, getting started, commands list,
    cheat sheet`,
  'log.download': `
    save log, export log, log file, download logs`,
  'log.follow': `
    tail -f, follow, live tail, autoscroll, scroll to end, stream`,
  'log.search': `
    search in logs, search logs, find in log, grep logs, grep log, ctrl f`,
  'page.first': `
    scroll to top, top of page, gg`,
  'page.last': `
    scroll to bottom, end of page, bottom`,
  'palette.kinds': `
    go to kind, list of kinds, resource kinds, choose kind, pick kind, :`,
  'table.compare': `
    compare clusters, compare with staging, compare namespaces, staging vs production, compare namespace,
    compare environments, staging vs prod, prod vs staging, difference between clusters, missing in prod, diff
    clusters, drift between clusters, compare lists, differences between environments`,
  'table.csv': `
    export csv, excel, spreadsheet, download list, export list, csv, to csv, save as excel, export table, export
    this table, download csv, download table, download as excel, print list, xls, xlsx, google sheets, report,
    export report, export data, get list as file`,
  'table.filter': `
    narrow down, by label, by status, filter by label, search name, search list, find in list, search this page,
    find deployment, grep, filter rows, filter by name, search in table, search table, find in table, find row,
    where status, show only, label selector, -l app, --selector, ctrl f, find on page, filter list, /`,
  'table.open': `
    kubectl describe, more info, detail page, docker inspect, see details, details, detail, look at this,
    inspect this, oc describe, show details, go into, info about this, more information`,
  'table.openBeside': `
    open next to, open in split, open side by side, preview, open in new pane`,
  'table.retry': `
    refresh, reload, update list, refresh page, refresh list, reload page, reload list, update now, try again,
    f5, fetch again, resync`,
  'table.select': `
    multi select, mark row, tick, select row, choose several, multiple rows, multiselect, select more, bulk
    action, checkbox, mark`,
  'table.selectAll': `
    select everything, mark all, check all, ctrl a, select all, all rows, mark everything, bulk, bulk select,
    tick all`,
  'table.sortByAge': `
    newest first, oldest first, newest, sort by time, sort by date, sort by creation, creationtimestamp,
    --sort-by, latest, youngest first, order by age, most recent, recently created, sort by newest, last created`,
  'table.sortByCPU': `
    most cpu, highest cpu, sort by usage, top cpu, cpu hog, busiest`,
  'table.sortByMemory': `
    most memory, highest memory, top memory, memory hog, biggest`,
  'table.sortByName': `
    alphabetical, a to z, sort alphabetically, abc order`,
  'table.sortByNamespace': `
    group by namespace, sort namespace`,
  'table.sortByRestarts': `
    most restarts, sort by restart count, restart count, which restarts most`,
  'table.sortTurn': `
    descending, ascending, reverse order, turn around sort, desc, asc`,
  'table.unhealthy': `
    show broken, only errors, what is failing, only failed, hide healthy, only unhealthy, failing only, only
    broken, what is broken, show errors, show failures, filter errors, only problems, hide ok, red ones, failed
    ones, only red, bad ones, show only errors, show failing`,
  'table.wide': `
    more columns, show columns, -o wide, hide columns, all columns, wide output, kubectl get -o wide, extra
    columns, add column, choose columns, column settings, more details in list, wider table, full table, images
    in list, ip column`,
  'table.yaml': `
    export yaml, backup, download yaml, save all as yaml, back up, save yaml, export all, export all yaml, dump,
    dump yaml, backup of everything, save to file`,
  'workspace.clearTabs': `
    close all tabs, close everything, clean up tabs, clear tabs, :qa, close all, quit all, start clean, reset
    workspace, close all windows, tidy up tabs`,
  'workspace.closeOthers': `
    close the others, keep only this tab, close everything else, only this one`,
  'workspace.closeTab': `
    close this, close window, close page, :q, :q!, :wq, quit, close this tab, close this page, close current,
    ctrl w, shut tab, exit tab, quit tab`,
  'workspace.closeTile': `
    close pane, close split, close panel, remove split, unsplit, one window, merge panes, no split`,
  'workspace.copyLink': `
    share this view, share page, send to colleague, link to this page, copy address, send link, share screen,
    share with team, copy url, share url, share link, url of this page, link to page, copy page link, share
    view, send page, share what i see, permalink, share with coworker, send this to a coworker, bookmark this
    view, link for colleague, screenshot, share filter, deep link`,
  'workspace.duplicateTab': `
    another tab, open twice, same page again, new tab, :tabnew, open new tab, clone tab, new window, same tab
    again, open another`,
  'workspace.equalise': `
    same size, even panes, equal panes, ctrl w =, balance panes`,
  'workspace.fullScreen': `
    distraction free, hide everything, bigger, presentation mode, zen mode, f11, full screen mode, kiosk, big
    screen, tv mode, wallboard, presentation, distraction-free, bigger screen`,
  'workspace.lastTab': `
    previous page, go back, back, last page, where i was, alt tab`,
  'workspace.maximise': `
    full screen, bigger, zoom in, zoom pane, enlarge pane, only this pane, maximize pane, make this bigger, one
    pane, focus mode, toggle zoom, ctrl w o`,
  'workspace.nextTab': `
    :bn, gt, tab right, switch tab, change tab, go to next tab, ctrl tab`,
  'workspace.nextTile': `
    other pane, next pane, other window, switch pane, ctrl w w, next split`,
  'workspace.previousTab': `
    :bp, tab left, go to previous tab, last tab`,
  'workspace.reopenTab': `
    restore closed tab, undo close tab, bring back tab, ctrl shift t, last closed, i closed it by mistake,
    recently closed, open the tab again`,
  'workspace.splitDown': `
    horizontal split, split screen, stack windows, pane below, hsplit, :sp, :split, split below, split
    horizontally, pane at the bottom, one above the other, stacked, split bottom, terminal below`,
  'workspace.splitRight': `
    two things side by side, multiple views, tmux, two at once, compare side by side, split screen, vertical
    split, two windows, side by side, new pane, second view, split view, open two, vsplit, :vs, :vsp, :vsplit,
    vertical pane, split window, split the screen, split vertically, pane to the right, two columns, two pages
    at once, two screens, multi view, dual view, open next to it, divide screen, new window, tile window,
    another pane, window on the right, screen split`,
  'workspace.toggleMore': `
    more kinds, all kinds, show more menu, rest of menu, more resources`,
  'workspace.toggleSidebar': `
    collapse menu, hide menu, hide navigation, more space, left menu, collapse sidebar, expand sidebar, hide
    sidebar, show menu, show sidebar, navigation bar, nav bar, side menu, side panel, left bar, menu bar, hide
    the left, burger menu`,
  'workspace.wider': `
    wider pane, make bigger, resize pane, broader`,
};
