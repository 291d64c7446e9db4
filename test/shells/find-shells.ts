import {spawnSync} from 'node:child_process'

/** Stops the tests before the first one where a shell is missing, and names it. */
export default function setup(): void {
  const missing = ['zsh', 'fish'].filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) return
  const names = missing.join(' and ')
  throw new Error(`${names} not found. Get the shells of these tests with apt-get, dnf or brew install zsh fish.`)
}
