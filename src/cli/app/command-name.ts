let current = 'vendorctl'

/** Says which command this process runs, for what it leaves behind. */
export function nameCommand(name: string): void {
  current = name
}

/** The command of this process: `sites create`. */
export function commandName(): string {
  return current
}
