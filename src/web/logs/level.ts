const error =
  /^(?:\S+ ){0,4}(?:\[?(?:ERROR|ERR|FATAL|CRITICAL|CRIT|PANIC|SEVERE)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?(?:error|err|fatal|critical|panic)\b|^[EF]\d{4} |^panic: /i;
const warning =
  /^(?:\S+ ){0,4}(?:\[?(?:WARNING|WARN|WRN)\]?\b)|\b(?:level|lvl|severity)["']?[=:]\s*["']?warn(?:ing)?\b|^W\d{4} /i;

/** How loud a log line is, by the words that loggers use for it. */
export function levelOf(text: string): 'bad' | 'warn' | undefined {
  if (error.test(text)) return 'bad';
  return warning.test(text) ? 'warn' : undefined;
}
