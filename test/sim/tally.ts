import type {Played} from './history.js'

const list = (counts: Record<string, number>) => {
  const kinds = Object.keys(counts).sort()
  return kinds.map((kind) => `${kind} ${counts[kind]}`).join(' · ')
}

/** What was played, in sums. */
export function createTally() {
  const totals = {lives: 0, kills: 0}
  const faults: Record<string, number> = {}
  const kinds: Record<string, number> = {}
  const wrong: Played[] = []
  return {
    wrong,
    add(played: Played) {
      totals.lives += played.lives
      totals.kills += played.kills
      kinds[played.case.act] = (kinds[played.case.act] ?? 0) + 1
      for (const [kind, count] of Object.entries(played.faults)) faults[kind] = (faults[kind] ?? 0) + count
      if (played.wrong.length > 0) wrong.push(played)
    },
    /** The last lines of a span; `cpu` is of all threads, without the building of the program. */
    describe({seconds, cpu, acts}: {seconds: number; cpu: number; acts: string}): string {
      const histories = Object.values(kinds).reduce((sum, count) => sum + count, 0)
      const each = cpu / 1e3 / Math.max(1, histories)
      const seeds = wrong.map((played) => played.case.seed)
      return [
        `faults: ${list(faults)}`,
        `${histories} histories (${list(kinds)}), ${totals.lives} lives, ${totals.kills} kills`,
        `${each.toFixed(1)} ms of CPU a history, ${(histories / seconds).toFixed(1)} histories a second, ${seconds.toFixed(1)} s`,
        `${seeds.length} wrong${seeds.length > 0 ? `, seeds ${seeds.join(' ')}: --acts ${acts}, with --trace or --shrink` : ''}`,
        '',
      ].join('\n')
    },
  }
}
