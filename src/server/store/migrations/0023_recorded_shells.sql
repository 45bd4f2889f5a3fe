CREATE TABLE "shell_recording_parts" (
	"recording_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "shell_recording_parts_recording_id_position_pk" PRIMARY KEY("recording_id","position")
);
--> statement-breakpoint
CREATE TABLE "shell_recordings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"company_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"actor" text NOT NULL,
	"mode" text NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"container" text,
	"key" "bytea" NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ending" text,
	"duration" integer DEFAULT 0 NOT NULL,
	"size" integer DEFAULT 0 NOT NULL,
	"parts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "is_shell_recorded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shell_recording_parts" ADD CONSTRAINT "shell_recording_parts_recording_id_shell_recordings_id_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."shell_recordings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_recordings" ADD CONSTRAINT "shell_recordings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_recordings" ADD CONSTRAINT "shell_recordings_cluster_of_company" FOREIGN KEY ("cluster_id","company_id") REFERENCES "public"."clusters"("id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shell_recordings_company" ON "shell_recordings" USING btree ("company_id","started_at","id");--> statement-breakpoint
CREATE INDEX "shell_recordings_cluster" ON "shell_recordings" USING btree ("cluster_id");--> statement-breakpoint
CREATE INDEX "shell_recordings_open" ON "shell_recordings" USING btree ("user_id","company_id") WHERE ended_at is null;