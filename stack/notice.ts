const warningMarker = /"level":[456]0\b/;
const progressMarker = '"event":"model"';

type LogLine = { msg?: string; err?: { message?: string }; message?: string };

/** What an operator should see of a program's log line: a warning or worse in pino's format, or how far the model's download is. */
export function noticeIn(line: string): { kind: 'warning' | 'progress'; text: string } | undefined {
  const kind = warningMarker.test(line) ? 'warning' : line.includes(progressMarker) ? 'progress' : undefined;
  if (!kind) return undefined;
  const { msg, err, message } = parse(line);
  const text = [msg, err?.message, message].filter(Boolean).join(': ');
  return text ? { kind, text } : undefined;
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
