/** The medians of several runs of the same, each figure by itself. */
export function medians(runs) {
  const middle = (name) => runs.map((run) => run[name]).sort((one, other) => one - other)[Math.floor(runs.length / 2)]
  return Object.fromEntries(Object.keys(runs[0]).map((name) => [name, middle(name)]))
}

export function printHead(title) {
  process.stdout.write(`\n${title}\n${line(['', 'CPU s', 'wall s', 'MB', 'ratio', '', 'at most'])}\n`)
}

/**
 * One row: what it cost, and as ratio to `beside.cost`. `most` is the largest ratio that is promised; `cpu`, `seconds`
 * and `megabytes` are the most CPU and wall time and memory. What is over says so.
 */
export function printRow(name, cost, {beside, most, cpu, seconds, megabytes, unit = 'cpuSeconds', note = ''} = {}) {
  const ratio = beside ? cost[unit] / beside.cost[unit] : undefined
  const limits = [
    [ratio, most, `${most} x`],
    [cost.cpuSeconds, cpu, `${cpu} s`],
    [cost.megabytes, megabytes, `${megabytes} MB`],
    [cost.seconds, seconds, `${seconds} s wall`],
  ].filter(([, limit]) => limit !== undefined)
  const promised = limits.map(([found, limit, text]) => (found > limit ? `${text} OVER` : text)).join(', ')
  const besides = beside ? `of ${beside.name}${unit === 'seconds' ? ', wall' : ''}` : ''
  const cells = [name, digits(cost.cpuSeconds, 2), digits(cost.seconds, 2), digits(cost.megabytes, 0)]
  process.stdout.write(
    `${line([...cells, ratio === undefined ? '' : `${ratio.toFixed(2)} x`, besides, promised])}${note === '' ? '' : `  ${note}`}\n`,
  )
}

/** What others need for the same, in one line. */
export function printPeers(costs, beside) {
  const texts = [...costs].map(([tool, cost]) => `${tool} ${(cost.cpuSeconds / beside.cost.cpuSeconds).toFixed(2)}`)
  if (texts.length > 0) process.stdout.write(`    ${texts.join(' · ')}\n`)
}

function digits(value, places) {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places)
}

function line([name, cpu, wall, megabytes, ratio, beside, most]) {
  return [
    name.padEnd(34),
    cpu.padStart(7),
    wall.padStart(8),
    megabytes.padStart(6),
    ratio.padStart(9),
    ` ${beside}`.padEnd(32),
    most,
  ]
    .join('')
    .trimEnd()
}
