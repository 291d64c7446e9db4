/** The name and version of a plan file; a change that breaks a reader gets a new number. */
export const planName = 'vendorctl-plan/1'
