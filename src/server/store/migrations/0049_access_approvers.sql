ALTER TABLE "companies" ADD COLUMN "access_approvers" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "access_requests" ADD COLUMN "approved_by" integer[] DEFAULT '{}' NOT NULL;