import {CliFailure} from './errors.js'

const units: Readonly<Record<string, number>> = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** Milliseconds of `90s`, `30m`, `2h`, `7d`. Throws `usage` that names the flag. */
export function toDuration(text: string, flag: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/i.exec(text.trim()) ?? []
  const milliseconds = Number(count) * (units[unit.toLowerCase()] ?? 0)
  if (milliseconds > 0) return milliseconds
  throw new CliFailure(`--${flag} ${JSON.stringify(text)}: not a length of time`, {
    code: 'DURATION',
    hints: ['Write 90s, 30m, 2h or 7d.'],
  })
}
