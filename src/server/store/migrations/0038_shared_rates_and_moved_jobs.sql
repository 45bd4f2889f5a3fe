CREATE UNLOGGED TABLE "rate_windows" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"taken" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "resumption" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "moves" integer DEFAULT 0 NOT NULL;