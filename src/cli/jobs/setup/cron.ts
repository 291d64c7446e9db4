import {cronLine, findLines, withLine, withoutLine} from '../../../jobs/setup/crontab.js'
import type {Outcome, Scheduler, Subject} from './scheduler.js'
import {readCrontab, toBytes, writeCrontab} from './user-crontab.js'

const where = 'your crontab'

/** Cron: one line in the crontab of the user. */
export const cron: Scheduler = {
  show({schedule}) {
    return {
      text: `${cronLine(schedule)}\n`,
      advice: [
        `Add the line to your crontab (crontab -e), or have it added: ${schedule.madeBy} --install`,
        ...mail(''),
      ],
    }
  },

  install({schedule}: Subject): Outcome {
    const {name} = schedule
    const line = toBytes(cronLine(schedule))
    const crontab = readCrontab()
    const before = findLines(crontab, name)
    const after = withLine(crontab, name, line)
    if (after !== crontab) writeCrontab(after)
    const did = after === crontab ? 'unchanged' : before.length > 0 ? 'replaced' : 'installed'
    return {
      did,
      where,
      ...(did === 'replaced' && {before: Buffer.from(before.join('\n'), 'latin1').toString()}),
      advice: ['See it with: crontab -l', ...mail(crontab)],
    }
  },

  remove(name): Outcome {
    const crontab = readCrontab()
    const after = withoutLine(crontab, name)
    if (after !== crontab) writeCrontab(after)
    return {did: after === crontab ? 'absent' : 'removed', where, advice: []}
  },
}

/** A job prints nothing when all is well, so each mail of cron is about a night that failed. */
function mail(crontab: string): string[] {
  if (/^[ \t]*MAILTO[ \t]*=/m.test(crontab)) return []
  return [
    'Cron mails what a failed night prints; to choose who gets it, put this line at the top: MAILTO=you@example.com',
  ]
}
