import { kinds } from '../../../../commands/kinds/index.ts';

const wordList = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words of sentences, English and German, without ä, ö, ü and ß. They are looked up as names only where one is expected. */
export const plainWords = wordList(`
  a about above actually after again ago all allow allowed allows almost already also am an and another any anybody
  anyone anything are around as ask asked asking at available away back bad be because been before behind being below
  best better between both but by came can cannot cant caused causes cause cluster clusters come comes coming console
  contact could couldnt currently day days days did didnt different do does doesnt doing done dont during each either
  else end ended every everybody everyone everything exactly exist exists explain far few find first fix for from
  full get gets getting give gives go goes going gone good got great had happen happened happening happens has hasnt
  have havent having hello help hey hi high highest him his hour hours how i id if im in inside instead into is isnt it
  its itself ive just keep keeps kind kinds know known last late lately latest least leave left less let like list live
  lives long look looking looks lot lots lowest made make makes many matter may maybe me mean means meant might minute
  minutes missing moment more morning most much must my myself name named names near need needed needs never new newest
  next night no nobody none nor not nothing now number object objects of off often ok okay old on once one only onto or
  other others our out over own part past people per permission permissions permit person place please possible present
  problem put quite really reason recent recently resource resources right rights said same say says second seconds see
  seem seems seen set shall she should show since single situation so some somebody someone something sometimes soon
  started still stop such suddenly sure take taken tell than thank thanks that the their them then there these they
  thing things think this those through time times to today together told too total towards tried trouble true try
  trying two under unable until up upon us usually very via want wanted wants was wasnt way we week weeks well went were
  what whats when where which while who whole whom whose why will with within without wont word work worked working works
  would wrong yes yesterday yet you your permitted safe safely access grant grants granted granting owner owners admin
  admins administrator role responsible could password secret redacted
  tonight idea full filled voll alt gib previous current enough room space nearly restarted replicas people person persons users team teams allowed able anyone team members member somebody leute benutzer
  monday tuesday wednesday thursday friday saturday sunday noon midnight afternoon evening
  aber alle allem allen aller alles als am an andere anderen auf aus bei beim bin bis bist bitte da damit dann daran das
  dass dein dem den denn der des deshalb die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem
  einen einer eines er erlaubt erlauben es etwas euch eurem fuer gab geben gerade gern gestern gibt gut hab habe haben
  hallo hat hatte heute hier ich ihm ihn ihr ihre im immer in ins ist ja jemand jetzt kann kannst kein keine keinen
  koennen koennte letzte letzten letzter los machen mal man mehr mein meine mich minute minuten mir mit morgen muss
  nach nacht nein nicht nichts noch nun nur ob oder ohne sagen schon sehen sehr sein seine seit sich sie sind so soll
  stunde stunden tag tage tagen trotz ueber um und uns unter vom von vor warum was weil welche welchem welchen welcher
  welches wem wen wenn wer werden weshalb wie wieder wieso wieviel wieviele viele viel wir wird wo woche wochen worden
  wurde wurden zu zum zur zwischen darf duerfen duerfte zugriff rechte recht berechtigung berechtigungen neue neuen neuer
  hoch niedrig gross klein lange oft zuletzt schnell genau bereit
  fit fits capacity headroom platz kapazitaet genug passen passt reicht frei additional extra another weitere weiteren
  zusaetzliche zusaetzlichen ressourcen berechtigt
  montag dienstag mittwoch donnerstag freitag samstag sonntag zeig zeige zeigen liste nenne bringe
`);

/** Words that say what is asked of an object or a place. They are looked up as names only where one is expected. */
export const askedWords = wordList(`
  broken break breaks breaking bug crash crashed crashes crashing crashloop crashlooping crashloopbackoff degraded die
  died dies down dying error errors erroring evicted evict fail failed failing fails failure failures fault faults
  faulty flapping hang hanging hangs health healthy ill imagepullbackoff incident issue issues kaputt killed kill loop
  looping notready offline online oom oomkilled pending problems ready red restarting restarts restarted running
  run runs sick slow slower start starting starts status state state stuck terminating unavailable unhealthy unready
  unschedulable unreachable wait waiting completed succeeded diagnose diagnosis debug troubleshoot
  defekt abgestuerzt abstuerzen absturz fehler fehlerhaft geht gesund haengt krank langsam laeuft laufen laufende
  funktioniert problem probleme startet starten stirbt stoerung tot zustand wartet warten
  change changed changes changing deployed deploy deploys edit edited modified modify updated update updates upgraded
  upgrade released altered difference differences recorded history audit touched
  geaendert aenderung aenderungen veraendert passiert ausgerollt verlauf
  drain drained draining cordon uncordon delete deleted deleting remove removed restart scale scaled scaling rollback
  roll rolled rolling pause paused resume suspend trigger expand resize kubectl
  leeren raeumen abschalten sperren loeschen geloescht entfernen neustarten neugestartet skalieren zurueckrollen
  anhalten fortsetzen ausfuehren
  fragen frage erlauben freigeben
  use used uses using usage user users depend depends dependency dependencies mount mounted mounts reference references
  refer refers require required requires consume consumed consumes
  benutzt benutzen benutzte verwendet verwenden nutzt nutzen braucht brauchen haengt abhaengig genutzt
  cpu memory ram load utilisation utilization consumption processor cores bytes metrics heavy busy
  speicher verbrauch verbraucht auslastung ausgelastet last prozessor
  log logs output stdout stderr lines line tail print printed write writes wrote say
  protokoll protokolle ausgabe logzeilen zeilen schreibt
  count counted amount anzahl zahl zaehle
  rollout rollouts revision revisions progress finished finish complete progressing rolled
  fortschritt fertig abgeschlossen stand
  happening message messages warning warnings meldung meldungen warnung warnungen
  image images version versions tag tags abbild
  open view display describe details info information overview summary read write manage create view sehen anzeigen
  lesen aendern bearbeiten erstellen verwalten
  belong belongs behind rules rule answer answers ask question questions
  shell shells exec terminal ssh bash konsole
  hog hogs hogging eats eating greedy top endpoints endpoint fire burning brennt alert alerts alarm alarms
  certificate certificates zertifikat zertifikate calls call called ruft expire expires expired expiring expiry ablaufen abgelaufen reboot shutdown maintenance wartung
  hilfe antworten
`);

/** Words for kinds besides the kinds' own, to the ids of the kinds. */
const furtherKindWords: Readonly<Record<string, readonly string[]>> = {
  workload: ['deployment', 'statefulset', 'daemonset'],
  workloads: ['deployment', 'statefulset', 'daemonset'],
  app: ['deployment'],
  apps: ['deployment', 'statefulset', 'daemonset'],
  application: ['deployment'],
  applications: ['deployment', 'statefulset', 'daemonset'],
  anwendung: ['deployment'],
  anwendungen: ['deployment', 'statefulset', 'daemonset'],
  container: ['pod'],
  containers: ['pod'],
  machine: ['node'],
  machines: ['node'],
  server: ['node'],
  servers: ['node'],
  knoten: ['node'],
  rechner: ['node'],
  dienst: ['service'],
  dienste: ['service'],
  geheimnis: ['secret'],
  geheimnisse: ['secret'],
  namensraum: ['namespace'],
  namensraeume: ['namespace'],
  namensraeumen: ['namespace'],
  bereich: ['namespace'],
  ereignis: ['event'],
  ereignisse: ['event'],
  pvcs: ['persistentvolumeclaim'],
  chart: ['release'],
  charts: ['release'],
  claim: ['persistentvolumeclaim'],
  claims: ['persistentvolumeclaim'],
  volume: ['persistentvolumeclaim', 'persistentvolume'],
  volumes: ['persistentvolumeclaim', 'persistentvolume'],
  disk: ['persistentvolumeclaim'],
  disks: ['persistentvolumeclaim'],
  cron: ['cronjob'],
  autoscaler: ['hpa'],
  replica: ['pod'],
  replicas: ['pod'],
  instances: ['pod'],
  instanzen: ['pod'],
};

/** Short names of kinds that are words of a sentence. */
const ambiguousAliases = wordList('no so cr as limits leader budget in pc sc va ic gc ro ev ing sec dp');

/** The kinds that a word means, by the word. */
export const kindsByWord: ReadonlyMap<string, readonly string[]> = new Map([
  ...kinds.flatMap(({ id, kind, plural, aliases = [] }) =>
    [id, kind.toLowerCase(), plural, ...aliases]
      .filter((word) => !ambiguousAliases.has(word))
      .map((word) => [word, [id]] as const),
  ),
  ...Object.entries(furtherKindWords),
]);

/** Words for changes of objects, to the last parts of the ids of the actions that make them. */
export const actionsByWord: Readonly<Record<string, readonly string[]>> = {
  // A node is restarted once it was drained.
  restart: ['restart', 'kill', 'drain'],
  neustarten: ['restart', 'kill', 'drain'],
  delete: ['delete'],
  remove: ['delete'],
  kill: ['kill', 'delete'],
  loeschen: ['delete'],
  entfernen: ['delete'],
  scale: ['scale'],
  skalieren: ['scale'],
  resize: ['expand', 'scale'],
  expand: ['expand'],
  drain: ['drain'],
  leeren: ['drain'],
  raeumen: ['drain'],
  abschalten: ['drain'],
  reboot: ['drain'],
  shutdown: ['drain'],
  maintenance: ['drain'],
  wartung: ['drain'],
  cordon: ['cordon'],
  sperren: ['cordon'],
  uncordon: ['uncordon'],
  evict: ['evict'],
  rollback: ['rollback'],
  zurueckrollen: ['rollback'],
  pause: ['pause', 'suspend'],
  suspend: ['suspend', 'pause'],
  anhalten: ['suspend', 'pause'],
  resume: ['resume'],
  fortsetzen: ['resume'],
  trigger: ['run'],
  ausfuehren: ['run', 'rerun'],
};
