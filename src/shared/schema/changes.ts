/** When machines changed records of which each counts the changes: of one that is equal nobody could tell whose it is. */
export const changesSchema = `
  CREATE TABLE vendorctl.changed (
    service text NOT NULL,
    record text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (service, record)
  );
  COMMENT ON TABLE vendorctl.changed IS 'Records of a service whose counts a machine changed a moment ago'
`
