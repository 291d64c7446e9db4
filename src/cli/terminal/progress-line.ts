import type {Ora} from 'ora'
import {columnsOf} from './fold-text.js'

/** The sign that turns, a space, and the place of the cursor. */
export const besideText = 3

/** A line of at most so many columns; a longer one is cut and ends in an ellipsis. */
export function cutLine(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${beginningOf(text, columns - 1)}…`
}

/** As many letters as so many columns hold: some letters take two. */
function beginningOf(text: string, columns: number): string {
  let used = 0
  let beginning = ''
  for (const letter of text) {
    used += columnsOf(letter)
    if (used > columns) break
    beginning += letter
  }

  return beginning
}

export type FollowedLine = {changed(): void; end(): void}

/**
 * Keeps a progress line within the terminal, also when that gets narrower: terminals that flow again then show the old
 * line in several rows, of which the spinner would take away the last only.
 */
export function followSize(spinner: Ora, stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): FollowedLine {
  let shown = 0
  const onResize = () => {
    if (!spinner.isSpinning) return
    const rows = Math.ceil((shown + besideText - 1) / stream.columns)
    const {text} = spinner
    spinner.stop()
    if (rows > 1 && flowsAgain(environment)) {
      stream.moveCursor(0, 1 - rows)
      stream.clearScreenDown()
    }
    spinner.text = cutLine(text, stream.columns - besideText)
    shown = columnsOf(spinner.text)
    spinner.start()
  }
  stream.on('resize', onResize)
  return {
    changed() {
      shown = columnsOf(spinner.text)
    },
    end: () => void stream.off('resize', onResize),
  }
}

/** Others, such as xterm, cut lines off; going up there would take away what was printed before. */
function flowsAgain({TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM}: NodeJS.ProcessEnv): boolean {
  return [TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM].some(Boolean)
}
